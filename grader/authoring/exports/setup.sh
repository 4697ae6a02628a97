#!/usr/bin/env bash
# Once, when the autograder's image is built: the Python packages that grading needs.
set -euo pipefail
apt-get install -y python3 python3-pip python3-venv
python3 -m venv /autograder/venv
/autograder/venv/bin/python -m pip install --requirement /autograder/source/requirements.txt
chmod -R go-rwx /autograder/source
