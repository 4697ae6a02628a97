"""Run a Python as a user without rights if root runs the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

AM_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
USER = 65534
IS: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []}
"""Arguments for `subprocess`."""

_TRIED = "import os, sys; open(os.__file__).close(); sys.exit(sys.version_info < (3, 10))"


def python() -> str:
    """Return an interpreter that every user can run, or skip the test if there is none.

    Other users may not be able to reach root's own.
    """
    for found in (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin")):
        if found is not None and _runs(found):
            return found
    pytest.skip("no Python of at least 3.10 that every user can run")


def _runs(program: str) -> bool:
    command = [program, "-c", _TRIED]
    try:
        return (
            subprocess.run(command, env={}, check=False, capture_output=True, **IS).returncode == 0
        )
    except OSError:
        return False
