"""Show a trace as a page that fetches nothing, with keys and buttons to step through it."""

from __future__ import annotations

from typing import Any

from grader.learner.tracing.model import Node, Step, StepKind, Trace
from grader.learner.tracing.picture import digits, draw, titled
from grader.learner.tracing.words import growth_text
from grader.text import safe
from grader.views.html import page

PARTS = {
    StepKind.BEGIN: "forward",
    StepKind.FORWARD: "forward",
    StepKind.SEED: "backward",
    StepKind.RUN: "backward",
    StepKind.OTHER: "backward",
    StepKind.STOPPED: "backward",
    StepKind.END: "the end",
}
MAX_TITLE = 160
FEW = 10


def to_page(trace: Trace, start: int | None = None) -> str:
    """Return the page. It opens at `start`, by default the first wrong step if there is one."""
    picture = draw(trace)
    steps = [_step(index, step, trace) for index, step in enumerate(trace.steps)]
    data = {
        "start": (trace.first_wrong or 0) if start is None else start,
        "nodes": [
            [node["shown_from"], node["value"], node["right_value"], node["history"]]
            for node in picture["nodes"]
        ],
        "edges": [[edge.operand, edge.node] for edge in picture["edges"]],
        "steps": [
            [
                -1 if step.node is None else step.node,
                [growth.node for growth in step.growths],
                step.kind.value,
            ]
            for step in trace.steps
        ],
    }
    return page(
        "trace.html",
        title=titled(trace),
        FEW=FEW,
        given=[(safe(name, 40), digits(value)) for name, value in trace.given],
        notes=[safe(note) for note in trace.notes],
        picture=picture,
        steps=steps,
        data=data,
        standalone=False,
        first_wrong=trace.first_wrong,
        nodes=[_row(node) for node in trace.nodes],
    )


def _step(index: int, step: Step, trace: Trace) -> dict[str, Any]:
    return {
        "index": index,
        "part": PARTS[step.kind],
        "text": safe(step.text),
        "wrong": step.wrong,
        "growths": [
            {"text": safe(growth_text(growth, trace, "→")), "wrong": growth.wrong}
            for growth in step.growths
        ],
        "problems": [safe(problem) for problem in step.problems],
    }


def _row(node: Node) -> dict[str, str]:
    return {
        "label": safe(node.label, MAX_TITLE),
        "value": digits(node.value),
        "gradient": digits(node.gradient),
        "right_value": digits(node.right_value) if node.wrong_value else "",
        "right_gradient": digits(node.right_gradient) if node.wrong_gradient else "",
    }
