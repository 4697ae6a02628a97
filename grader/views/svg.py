"""Lay out the graph of a failure as a small picture, from operands on the left to the result.

The template `graph.svg` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.model import Shown, TreeNode
from grader.text import safe
from grader.views.answer import both_numbers
from grader.views.layout import Layout

MAX_NODES = 16  # a larger graph would be unreadable
_WIDTH, _HEIGHT = 150, 58
_LETTERS = 20


def picture(tree: Sequence[TreeNode]) -> dict[str, Any] | None:
    """Return the values for the template, or None if the tree is too small or too large.

    The first wrong node and wrong numbers are marked.
    """
    if not 2 <= len(tree) <= MAX_NODES:
        return None
    pairs = [(operand, index) for index, node in enumerate(tree) for operand in node.operands]
    layout = Layout([(_WIDTH, _HEIGHT)] * len(tree), pairs)
    return {
        "width": layout.width + 4,
        "height": layout.height + 4,
        "box": (_WIDTH, _HEIGHT),
        "edges": layout.edges,
        "nodes": [
            {"x": x - _WIDTH / 2, "y": y - _HEIGHT / 2, **_node(node)}
            for node, (x, y) in zip(tree, layout.nodes)
        ],
    }


def _node(node: TreeNode) -> dict[str, Any]:
    expression = safe(node.expression)
    short = expression if len(expression) <= _LETTERS else f"{expression[: _LETTERS - 1]}…"
    numbers = {
        "value": (node.value, node.right_value),
        "grad": (node.gradient, node.right_gradient),
    }
    known = (_number(name, *both) for name, both in numbers.items() if both[1] is not None)
    return {
        "title": expression,
        "marked": node.first_wrong or node.blamed,
        "lines": [(short, "name"), *known],
    }


def _number(name: str, got: Shown, right: Shown) -> tuple[str, str]:
    """Return a number, followed by the right one if that differs."""
    given, wanted = both_numbers(got, right)
    text = f"{name} {given}" if given == wanted else f"{name} {given} ≠ {wanted}"
    return (text if len(text) <= _LETTERS + 2 else f"{text[: _LETTERS + 1]}…"), (
        "number" if given == wanted else "number wrong"
    )
