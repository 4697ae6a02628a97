"""Draw a trace as SVG, for the page and for a file: boxes with labels, values and gradients."""

from __future__ import annotations

from typing import Any

from grader.judge.plain_values import is_number
from grader.learner.tracing.model import Node, Number, Trace
from grader.learner.tracing.words import digits, pair, shortened
from grader.model import Shown
from grader.text import safe
from grader.views.html import page
from grader.views.layout import Layout

LETTER = 7.3  # the width of a letter at the size of the numbers
LINE = 17.0
TAG = 12.0  # around the sign in its tag
PADDING = 10.0
HEIGHT = 3 * LINE + 2 * PADDING - 4
MARGIN = 14.0

History = list[tuple[int, str, str, str]]
"""The gradient's line over time: the first step, the number, the right one if it is wrong, and how
much it has just grown.
"""


def _histories(trace: Trace) -> list[History]:
    """Return the gradient's line of every node: when it appears, and each change."""
    shown_from = {
        step.node: index for index, step in enumerate(trace.steps) if step.kind == "forward"
    }
    begun: dict[int, Shown] = {}
    changes: list[History] = [[] for _ in trace.nodes]
    for index, step in enumerate(trace.steps):
        for growth in step.growths:
            begun.setdefault(growth.node, growth.before)
            changes[growth.node].append(
                (index, *_written(growth.gradient), _grown(growth.before, growth.after))
            )
        for change, node in zip(changes, trace.nodes if step.kind == "end" else ()):
            change.append((index, *_written(node.gradient), ""))
    return [
        [(shown_from.get(place, 0), digits(begun.get(place, node.gradient.got)), "", ""), *later]
        for place, (node, later) in enumerate(zip(trace.nodes, changes))
    ]


def _box(place: int, node: Node, history: History) -> dict[str, Any]:
    """Return a node for the template, in a box as wide as the widest line in any step."""
    title, sign = safe(node.label, 400), safe(node.sign, 6)
    label, (value, right_value) = shortened(title, 22), _written(node.value)
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


def _written(number: Number) -> tuple[str, str]:
    """Return a number, and the right one if it is wrong."""
    return digits(number.got), pair(number, digits)[1] if number.wrong else ""


def _grown(before: Shown, after: Shown) -> str:
    return f"{after - before + 0.0:+.3g}" if is_number(before) and is_number(after) else ""


def draw(trace: Trace) -> dict[str, Any]:
    """Return the values for the template. Raise UsageError if the graph is too large."""
    histories = enumerate(zip(trace.nodes, _histories(trace)))
    nodes = [_box(place, node, history) for place, (node, history) in histories]
    pairs = [
        (operand, place) for place, node in enumerate(trace.nodes) for operand in node.operands
    ]
    layout = Layout([(node["width"], node["height"]) for node in nodes], pairs)
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
