"""Python is read with its docstrings, wherever the grader reads it."""

from __future__ import annotations

import subprocess
import sys

from support import ROOT


def test_docstrings_are_read_at_every_optimization_level() -> None:
    code = (
        "import ast; from grader.curriculum.syntax import parse_python;"
        " print(ast.get_docstring(parse_python('def f():\\n    \"why\"').body[0]))"
    )
    for level in ("", "-O", "-OO"):
        done = subprocess.run(
            [sys.executable, *filter(None, [level]), "-c", code],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout == "why\n", level
