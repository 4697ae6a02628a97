"""Lay out the graph of a failure as a small picture, from operands on the left to the result.

The template `graph.svg` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.model import Shown, TreeNode
from grader.text import safe
from grader.views.plain import both_numbers

MAX_NODES = 16  # a larger graph would be unreadable
_WIDTH, _HEIGHT, _ACROSS, _DOWN = 150, 58, 190, 70
_LETTERS = 20


def picture(tree: Sequence[TreeNode]) -> dict[str, Any] | None:
    """Return the values for the template, or None if the tree is too small or too large.

    The first wrong node and wrong numbers are marked.
    """
    if not 2 <= len(tree) <= MAX_NODES:
        return None
    depths = _depths(tree)
    places = [
        ((max(depths) - depth) * _ACROSS + 2, row * _DOWN + 2)
        for depth, row in zip(depths, _rows(tree))
    ]
    edges = [
        _edge(places[operand], places[index], (number + 1) / (len(node.operands) + 1))
        for index, node in enumerate(tree)
        for number, operand in enumerate(node.operands)
    ]
    return {
        "width": max(depths) * _ACROSS + _WIDTH + 4,
        "height": max(y for _, y in places) + _HEIGHT + 2,
        "box": (_WIDTH, _HEIGHT),
        "edges": edges,
        "nodes": [{"x": x, "y": y, **_node(node)} for node, (x, y) in zip(tree, places)],
    }


def _depths(tree: Sequence[TreeNode]) -> list[int]:
    """Return the column of each node, counted from the result.

    A node is to the left of everything that uses it, by any path.
    """
    depths = [0] * len(tree)
    for _ in tree:
        for index, node in enumerate(tree):
            for operand in node.operands:
                depths[operand] = max(depths[operand], min(depths[index] + 1, len(tree)))
    return depths


def _rows(tree: Sequence[TreeNode]) -> list[float]:
    """Return the row of each node.

    A node below which nothing is drawn gets the next free row, any other the middle of those below
    it.
    """
    rows = [0.0] * len(tree)
    parents = [
        next(
            (before for before in reversed(range(index)) if tree[before].depth < tree[index].depth),
            None,
        )
        for index in range(len(tree))
    ]
    below: dict[int | None, list[float]] = {}
    free = sum(index not in parents for index in range(len(tree)))
    for index in reversed(range(len(tree))):
        inside = below.get(index)
        free -= not inside
        rows[index] = (min(inside) + max(inside)) / 2 if inside else float(free)
        below.setdefault(parents[index], []).append(rows[index])
    return rows


def _edge(start: tuple[float, float], end: tuple[float, float], share: float) -> str:
    """Return the path from an operand to its place at the node that uses it."""
    x, y = start[0] + _WIDTH, start[1] + _HEIGHT / 2
    to_x, to_y = end[0], end[1] + _HEIGHT * share
    bend = (to_x - x) / 2
    return f"M{x:g} {y:g}C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}"


def _node(node: TreeNode) -> dict[str, Any]:
    expression = safe(node.expression)
    short = expression if len(expression) <= _LETTERS else f"{expression[: _LETTERS - 1]}…"
    lines = [
        (short, "name"),
        _number("value", node.value, node.right_value),
        _number("grad", node.gradient, node.right_gradient),
    ]
    return {
        "title": expression,
        "marked": node.first_wrong or node.blamed,
        "lines": [line for line in lines if line[0]],
    }


def _number(name: str, got: Shown, right: Shown) -> tuple[str, str]:
    """Return a number, followed by the right one if that differs."""
    if right is None:
        return "", ""
    given, wanted = both_numbers(got, right)
    text = f"{name} {given}" if given == wanted else f"{name} {given} ≠ {wanted}"
    return (text if len(text) <= _LETTERS + 2 else f"{text[: _LETTERS + 1]}…"), (
        "number" if given == wanted else "number wrong"
    )
