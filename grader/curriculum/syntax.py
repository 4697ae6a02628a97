"""Parse Python with docstrings, regardless of the interpreter's optimization level."""

from __future__ import annotations

import ast
from pathlib import Path

from grader.errors import CourseError


def parse_python(source: str | bytes) -> ast.Module:
    """Return a syntax tree with its docstrings, which `ast.parse` drops if PYTHONOPTIMIZE=2."""
    tree = compile(source, "<unknown>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    assert isinstance(tree, ast.Module)
    return tree


def read_python(file: Path) -> tuple[str, ast.Module]:
    """Return the text and the tree of a file. Raise CourseError if it is missing or not valid."""
    try:
        source = file.read_text(encoding="utf-8")
        return source, parse_python(source)
    except SyntaxError as error:
        raise CourseError(
            f"{file} is not valid Python: line {error.lineno}: {error.msg}", "fix that line"
        ) from error
    except (OSError, ValueError) as error:
        raise CourseError(
            f"{file} cannot be read: {error}",
            "make it a readable UTF-8 file; `grade dev new` creates an example",
        ) from error
