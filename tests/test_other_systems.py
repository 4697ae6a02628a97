"""What older Pythons refuse. What other systems lack is hidden by `-p support.elsewhere`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
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
