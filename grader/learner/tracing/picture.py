"""Draw a trace as SVG, for the page and for a file: boxes with labels, values and gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.learner.tracing.layout import Layout, Point, lay_out
from grader.learner.tracing.model import Node, Role, StepKind, Trace
from grader.model import Shown
from grader.text import safe, shown
from grader.views.html import page

LETTER = 7.3  # the width of a letter at the size of the numbers
LINE = 17.0
TAG = 12.0  # around the sign in its tag
PADDING = 10.0
MARGIN = 14.0
MAX_LABEL = 22
MAX_TITLE = 1_000

History = list[tuple[int, str, str, str]]
"""The gradient's line over time: the first step, the number, the right one if it is wrong, and how
much it has just grown.
"""


@dataclass(frozen=True)
class Box:
    """A node in the picture: its final texts, and the steps at which they change."""

    node: Node
    label: str
    value: str
    right_value: str
    shown_from: int
    gradients: History

    @property
    def width(self) -> float:
        """Return the width of the widest line in any step."""
        badge = _badge(self.node)
        label = len(self.label) * LETTER * 1.08 + (badge + 4 if badge else 0.0)
        lines = [len(f"value {self.value}") + _marked(self.right_value)]
        lines += [
            len(f"grad {text}") + _marked(right) + (len(grown) + 3 if grown else 0)
            for _, text, right, grown in self.gradients
        ]
        return max(label, max(lines) * LETTER) + 2 * PADDING

    @property
    def height(self) -> float:
        """Return the height of three lines."""
        return 3 * LINE + 2 * PADDING - 4


def _badge(node: Node) -> float:
    """Return the width of the tag with the sign of an operation, in the box's corner."""
    return (
        len(safe(node.sign, 6)) * LETTER + TAG if node.role is Role.OPERATION and node.sign else 0.0
    )


def _marked(right: str) -> int:
    return len(f" ✗ right {right}") if right else 0


def digits(value: Shown) -> str:
    """Return a number with four significant digits, as in a box."""
    if value is None:
        return "·"
    if isinstance(value, str):
        return safe(value, 16)
    return f"{value + 0.0:.4g}"


def boxes(trace: Trace) -> list[Box]:
    """Return every node with what it shows and when."""
    shown_from = dict.fromkeys(range(len(trace.nodes)), 0)
    histories: list[History] = [[] for _ in trace.nodes]
    for index, step in enumerate(trace.steps):
        for node in step.values:
            shown_from[node] = index
        for growth in step.growths:
            right = _right(growth.after, growth.right) if growth.wrong else ""
            histories[growth.node].append(
                (index, digits(growth.after), right, _grown(growth.before, growth.after))
            )
        if step.kind is StepKind.END:
            for place, node_ in enumerate(trace.nodes):
                right = _right(node_.gradient, node_.right_gradient) if node_.wrong_gradient else ""
                if right or histories[place] or not _backward(trace):
                    histories[place].append((index, digits(node_.gradient), right, ""))
    return [
        _box(node, shown_from[place], histories[place], trace)
        for place, node in enumerate(trace.nodes)
    ]


def _backward(trace: Trace) -> bool:
    return any(step.kind is StepKind.SEED for step in trace.steps)


def _box(node: Node, shown_from: int, history: History, trace: Trace) -> Box:
    begun = next(
        (
            growth.before
            for step in trace.steps
            for growth in step.growths
            if trace.nodes[growth.node] is node
        ),
        node.gradient,
    )
    history = [(shown_from, digits(begun), "", ""), *history]
    return Box(
        node,
        short_label(node),
        digits(node.value),
        _right(node.value, node.right_value) if node.wrong_value else "",
        shown_from,
        history,
    )


def short_label(node: Node) -> str:
    """Return a label that fits into a box. A long one keeps its end, where long sums differ."""
    label = safe(node.label, 400)
    return label if len(label) <= MAX_LABEL else f"…{label[1 - MAX_LABEL :]}"


def _right(got: Shown, right: float | None) -> str:
    if right is None:
        return ""
    few = digits(right)
    return few if few != digits(got) else shown(right)


def _grown(before: Shown, after: Shown) -> str:
    if isinstance(before, str) or isinstance(after, str) or before is None or after is None:
        return ""
    return f"{after - before + 0.0:+.3g}"


@dataclass(frozen=True)
class Edge:
    """An edge from an operand to its result, as a path."""

    operand: int
    node: int
    path: str
    unrecorded: bool


def draw(trace: Trace) -> dict[str, Any]:
    """Return the values for the template. Raise NoLayout if the graph is too large."""
    found = boxes(trace)
    pairs = [
        (operand, place) for place, node in enumerate(trace.nodes) for operand in node.operands
    ]
    layout = lay_out([(box.width, box.height) for box in found], pairs)
    unrecorded = {
        (operand, place) for place, node in enumerate(trace.nodes) for operand in node.unrecorded
    }
    edges = [
        Edge(operand, place, _path(curve), (operand, place) in unrecorded)
        for (operand, place), curve in zip(pairs, layout.edges)
    ]
    return {
        "width": round(layout.width + 2 * MARGIN, 1),
        "height": round(layout.height + 2 * MARGIN, 1),
        "margin": MARGIN,
        "nodes": [_drawn(place, box, layout) for place, box in enumerate(found)],
        "edges": edges,
    }


def _path(points: Sequence[Point]) -> str:
    coordinates = [f"{x:.1f},{y:.1f}" for x, y in points]
    return f"M{coordinates[0]} C{' '.join(coordinates[1:])}"


def _drawn(place: int, box: Box, layout: Layout) -> dict[str, Any]:
    x, y = layout.nodes[place]
    _, text, right, _ = box.gradients[-1]
    classes = [
        box.node.role.value,
        *(["lost"] if box.node.lost else []),
        *(["wrong"] if box.right_value or right else []),
    ]
    return {
        "place": place,
        "x": round(x - box.width / 2, 1),
        "y": round(y - box.height / 2, 1),
        "width": round(box.width, 1),
        "height": box.height,
        "classes": " ".join(classes),
        "label": box.label,
        "title": safe(box.node.label, 400),
        "sign": safe(box.node.sign, 6),
        "badge": round(_badge(box.node), 1),
        "value": box.value,
        "right_value": box.right_value,
        "gradient": text,
        "right_gradient": right,
        "history": box.gradients,
        "shown_from": box.shown_from,
    }


def titled(trace: Trace) -> str:
    """Return the title, limited in length. An expression in it is in backticks."""
    title = safe(trace.title)
    if len(title) <= MAX_TITLE:
        return title
    return f"{title[:MAX_TITLE]}…{'`' if title.startswith('`') else ''}"


def to_svg(trace: Trace) -> str:
    """Return the final graph as a separate file, in light or dark as the viewer prefers."""
    return page("trace.svg", picture=draw(trace), title=titled(trace), standalone=True)
