"""The real command, started as a person starts it."""

from __future__ import annotations

import os
import subprocess
import sys

GRADE = [sys.executable, "-c", "from grader.cli.app import main; main()"]


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command's exit code and what it wrote; nothing that it does may end in a traceback of
    ours.
    """
    env = {**os.environ, **environment}
    done = subprocess.run(
        [*GRADE, *args], capture_output=True, encoding="utf-8", env=env, timeout=60, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr
    return done
