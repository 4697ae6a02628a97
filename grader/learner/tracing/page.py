"""Show a trace as a page that fetches nothing, with keys and buttons to step through it."""

from __future__ import annotations

from typing import Any

from grader.learner.tracing.model import Step, Trace
from grader.learner.tracing.picture import draw
from grader.learner.tracing.words import growth_text
from grader.text import safe
from grader.views.html import page


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
        "edges": [[edge["operand"], edge["node"]] for edge in picture["edges"]],
        "steps": [
            [
                -1 if step.node is None else step.node,
                [growth.node for growth in step.growths],
                step.kind,
            ]
            for step in trace.steps
        ],
    }
    return page(
        "trace.html",
        title=safe(trace.title),
        notes=[safe(note) for note in trace.notes],
        picture=picture,
        steps=steps,
        data=data,
        standalone=False,
        first_wrong=trace.first_wrong,
    )


def _step(index: int, step: Step, trace: Trace) -> dict[str, Any]:
    return {
        "index": index,
        "text": safe(step.text),
        "growths": [
            {"text": safe(growth_text(growth, trace, "→")), "wrong": growth.gradient.wrong}
            for growth in step.growths
        ],
        "problems": [safe(problem) for problem in step.problems],
    }
