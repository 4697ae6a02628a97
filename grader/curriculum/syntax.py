"""Parse Python, with docstrings, whatever the interpreter's own level of optimization."""

from __future__ import annotations

import ast


def parse_python(source: str | bytes) -> ast.Module:
    """Return the tree of a file. Since Python 3.14, `ast.parse` leaves docstrings out under
    PYTHONOPTIMIZE=2.
    """
    tree = compile(source, "<unknown>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    assert isinstance(tree, ast.Module)
    return tree
