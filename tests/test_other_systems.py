"""What other systems lack is missed by the tests of it alone: the others are collected and run
there.
"""

from __future__ import annotations

import ast
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


def test_no_named_tuple_has_a_second_base_which_python_3_10_refuses() -> None:
    classes = [
        (file.name, node)
        for file in (ROOT / "grader").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert classes
    for file, node in classes:
        bases = [ast.unparse(base) for base in node.bases]
        assert "NamedTuple" not in bases or len(bases) == 1, f"{file}: {node.name}"
