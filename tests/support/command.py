"""Start the real command as a person would."""

from __future__ import annotations

import os
import subprocess
import sys

GRADE = [sys.executable, "-c", "from grader.cli.app import main; main()"]


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the command's exit code and output. Fail if it shows a traceback."""
    env = {**os.environ, **environment}
    done = subprocess.run(
        [*GRADE, *args], capture_output=True, encoding="utf-8", env=env, timeout=60, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr
    return done
