"""Python is read with its docstrings, wherever the grader reads it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

from grader.curriculum.syntax import parse_python
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


def test_files_are_read_as_bytes_in_their_own_encoding() -> None:
    tree = parse_python("# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    assert ast.unparse(tree) == "x = 'é'"


def test_no_other_module_parses_files() -> None:
    """`ast.parse` leaves docstrings out under PYTHONOPTIMIZE=2 since Python 3.14."""
    files = [
        file
        for file in (ROOT / "grader").rglob("*.py")
        if file.parent.name != "worker"  # which changes functions; docstrings do not matter to it
        and re.search(
            r"\bast\.parse\([^)]*\)",
            re.sub(r'"""(?s:.*?)"""', "", file.read_text(encoding="utf-8")),
        )
    ]
    assert [
        str(file.relative_to(ROOT)) for file in files if file.name != "adapter.py"
    ] == []  # which reads one call
