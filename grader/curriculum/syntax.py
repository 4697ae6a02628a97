"""Parse Python with docstrings, regardless of the interpreter's optimization level."""

from __future__ import annotations

import ast


def parse_python(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a file. Since Python 3.14, `ast.parse` drops docstrings if
    PYTHONOPTIMIZE=2.
    """
    tree = compile(source, "<unknown>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    assert isinstance(tree, ast.Module)
    return tree
