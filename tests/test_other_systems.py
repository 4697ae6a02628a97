"""What other systems lack is missed by the tests of it alone: the others are collected and run
there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
AS_ON_WINDOWS = """\
import os, signal, sys
for module in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[module] = None
for owner, names in {
    os: ("fork", "geteuid", "killpg", "mkfifo", "setsid"),
    signal: ("SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGPROF", "SIGXCPU", "setitimer"),
}.items():
    for name in names:
        if hasattr(owner, name):
            delattr(owner, name)
import pytest
sys.exit(pytest.main(["--collect-only", "-q", "-n0", "-p", "no:cacheprovider"]))
"""


def test_every_test_file_is_collected_without_the_modules_and_signals_of_posix() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert "tests/boundary/test_isolation.py::" in done.stdout
