"""Draw the graph of a failure as a small picture, from operands on the left to the result."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from grader.model import Shown, TreeNode
from grader.text import safe
from grader.views.plain import both_numbers

MAX_NODES = 16  # a larger graph would be unreadable
_WIDTH, _HEIGHT, _ACROSS, _DOWN = 150, 58, 190, 70
_LETTERS = 20


def picture(tree: Sequence[TreeNode]) -> Markup:
    """Return the tree as SVG, or nothing if it is too small or too large.

    The first wrong node and wrong numbers are marked.
    """
    if not 2 <= len(tree) <= MAX_NODES:
        return Markup("")
    depths = _depths(tree)
    places = [
        ((max(depths) - depth) * _ACROSS + 2, row * _DOWN + 2)
        for depth, row in zip(depths, _rows(tree))
    ]
    width, height = max(depths) * _ACROSS + _WIDTH + 4, max(y for _, y in places) + _HEIGHT + 2
    lines = [
        _line(places[operand], places[index], (number + 1) / (len(node.operands) + 1))
        for index, node in enumerate(tree)
        for number, operand in enumerate(node.operands)
    ]
    boxes = [_box(node, *place) for node, place in zip(tree, places)]
    opening = Markup(
        '<svg class="graph" role="img" aria-label="the graph of the failure"'
        ' xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}"'
        ' height="{1:g}">'
    )
    return Markup("").join([opening.format(width, height), *lines, *boxes, Markup("</svg>")])


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


def _line(start: tuple[float, float], end: tuple[float, float], share: float) -> Markup:
    """Draw an edge from an operand to its place at the node that uses it."""
    (x, y), (to_x, to_y) = (
        (start[0] + _WIDTH, start[1] + _HEIGHT / 2),
        (end[0], end[1] + _HEIGHT * share),
    )
    bend = (to_x - x) / 2
    return Markup(
        '<path class="edge" fill="none" stroke="currentColor" d="M{:g} {:g}C{:g} {:g} {:g} {:g}'
        ' {:g} {:g}"/>'
    ).format(x, y, x + bend, y, to_x - bend, to_y, to_x, to_y)


def _box(node: TreeNode, x: float, y: float) -> Markup:
    kind = "node first" if node.first_wrong or node.blamed else "node"
    expression = safe(node.expression)
    short = expression if len(expression) <= _LETTERS else f"{expression[: _LETTERS - 1]}…"
    rows = [
        (short, "name"),
        _number("value", node.value, node.right_value),
        _number("grad", node.gradient, node.right_gradient),
    ]
    texts = [
        Markup('<text class="{}" x="{:g}" y="{:g}" fill="currentColor">{}</text>').format(
            style, x + 8, y + 17 * place, text
        )
        for place, (text, style) in enumerate((row for row in rows if row[0]), 1)
    ]
    box = Markup(
        '<rect class="{}" x="{:g}" y="{:g}" width="{}" height="{}" rx="6" fill="none"'
        ' stroke="currentColor"/>'
    )
    return (
        Markup("<g><title>{}</title>").format(expression)
        + box.format(kind, x, y, _WIDTH, _HEIGHT)
        + Markup("").join(texts)
        + Markup("</g>")
    )


def _number(name: str, got: Shown, right: Shown) -> tuple[str, str]:
    """Return a number, followed by the right one if that differs."""
    if right is None:
        return "", ""
    given, wanted = both_numbers(got, right)
    text = f"{name} {given}" if given == wanted else f"{name} {given} ≠ {wanted}"
    return (text if len(text) <= _LETTERS + 2 else f"{text[: _LETTERS + 1]}…"), (
        "number" if given == wanted else "number wrong"
    )
