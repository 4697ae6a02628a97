"""Draw a trace as SVG, for the page and for a file: boxes with labels, values and gradients."""

from __future__ import annotations

from typing import Any

from grader.learner.tracing.model import Node, Trace
from grader.learner.tracing.words import digits, pair
from grader.model import Shown
from grader.text import safe
from grader.views.html import page
from grader.views.layout import lay_out

LETTER = 7.3  # the width of a letter at the size of the numbers
LINE = 17.0
TAG = 12.0  # around the sign in its tag
PADDING = 10.0
HEIGHT = 3 * LINE + 2 * PADDING - 4
MARGIN = 14.0
MAX_LABEL = 22

History = list[tuple[int, str, str, str]]
"""The gradient's line over time: the first step, the number, the right one if it is wrong, and how
much it has just grown.
"""


def _histories(trace: Trace) -> list[History]:
    """Return the gradient's line of every node: when it appears, and each change."""
    shown_from = {node: index for index, step in enumerate(trace.steps) for node in step.values}
    begun: dict[int, Shown] = {}
    changes: list[History] = [[] for _ in trace.nodes]
    for index, step in enumerate(trace.steps):
        for growth in step.growths:
            begun.setdefault(growth.node, growth.before)
            right = _right(growth.after, growth.right) if growth.wrong else ""
            grown = _grown(growth.before, growth.after)
            changes[growth.node].append((index, digits(growth.after), right, grown))
        for place, node in enumerate(trace.nodes) if step.kind == "end" else ():
            right = _right(node.gradient, node.right_gradient) if node.wrong_gradient else ""
            changes[place].append((index, digits(node.gradient), right, ""))
    return [
        [(shown_from.get(place, 0), digits(begun.get(place, node.gradient)), "", ""), *later]
        for place, (node, later) in enumerate(zip(trace.nodes, changes))
    ]


def _box(place: int, node: Node, history: History) -> dict[str, Any]:
    """Return a node for the template, in a box as wide as the widest line in any step."""
    title, value, sign = safe(node.label, 400), digits(node.value), safe(node.sign, 6)
    # a long label keeps its end, where long sums differ
    label = title if len(title) <= MAX_LABEL else f"…{title[1 - MAX_LABEL :]}"
    right_value = _right(node.value, node.right_value) if node.wrong_value else ""
    badge = len(sign) * LETTER + TAG if node.role == "operation" and node.sign else 0.0
    columns = [len(f"value {value}") + _marked(right_value)]
    columns += [
        len(f"grad {text}") + _marked(right) + (len(grown) + 3 if grown else 0)
        for _, text, right, grown in history
    ]
    width = max(len(label) * LETTER * 1.08 + (badge + 4 if badge else 0.0), max(columns) * LETTER)
    _, gradient, right_gradient, _ = history[-1]
    return {
        "place": place,
        "width": width + 2 * PADDING,
        "height": HEIGHT,
        "classes": " ".join([node.role, *["wrong"] * bool(right_value or right_gradient)]),
        "label": label,
        "title": title,
        "sign": sign,
        "badge": round(badge, 1),
        "value": value,
        "right_value": right_value,
        "gradient": gradient,
        "right_gradient": right_gradient,
        "history": history,
        "shown_from": history[0][0],
    }


def _marked(right: str) -> int:
    return len(f" ✗ right {right}") if right else 0


def _right(got: Shown, right: float | None) -> str:
    return "" if right is None else pair(got, right, digits)[1]


def _grown(before: Shown, after: Shown) -> str:
    numbers = isinstance(before, (int, float)) and isinstance(after, (int, float))
    return f"{after - before + 0.0:+.3g}" if numbers else ""  # type: ignore[operator]


def draw(trace: Trace) -> dict[str, Any]:
    """Return the values for the template. Raise NoLayout if the graph is too large."""
    histories = enumerate(zip(trace.nodes, _histories(trace)))
    nodes = [_box(place, node, history) for place, (node, history) in histories]
    pairs = [
        (operand, place) for place, node in enumerate(trace.nodes) for operand in node.operands
    ]
    layout = lay_out([(node["width"], node["height"]) for node in nodes], pairs)
    edges = [
        {
            "operand": operand,
            "node": place,
            "path": path,
            "unrecorded": operand in trace.nodes[place].unrecorded,
        }
        for (operand, place), path in zip(pairs, layout.edges)
    ]
    for node, (x, y) in zip(nodes, layout.nodes):
        node["x"], node["y"] = round(x - node["width"] / 2, 1), round(y - HEIGHT / 2, 1)
        node["width"] = round(node["width"], 1)
    return {
        "width": round(layout.width + 2 * MARGIN, 1),
        "height": round(layout.height + 2 * MARGIN, 1),
        "margin": MARGIN,
        "nodes": nodes,
        "edges": edges,
    }


def to_svg(trace: Trace) -> str:
    """Return the final graph as a separate file, in light or dark as the viewer prefers."""
    return page("trace.svg", picture=draw(trace), title=safe(trace.title), standalone=True)
