"""How numbers, shares and gradients are told, the same in every view."""

from __future__ import annotations

from grader.learner.tracing.model import Growth, Trace
from grader.model import Shown
from grader.text import safe, shown

MAX_LABEL = 48


def number(value: Shown, digits: int = 6) -> str:
    """A number with a few digits; a text as it is; `nothing` for None."""
    if isinstance(value, str):
        return safe(value, 60)
    return "nothing" if value is None else f"{value + 0.0:.{digits}g}"


def pair(got: Shown, right: float, digits: int = 6) -> tuple[str, str]:
    """Two numbers that differ, with as many digits as it takes to see it."""
    few = number(got, digits), number(right, digits)
    return few if few[0] != few[1] else (shown(got), shown(right))


def shortened(label: str) -> str:
    """A label that leaves room for a sentence."""
    return label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"


def factor(value: float | None) -> str:
    """A number as a factor: a negative one in brackets."""
    told = number(value)
    return f"({told})" if told.startswith("-") else told


def shares(growth: Growth) -> str:
    """What a gradient should grow by, as the sum of what each use sends back: `3 * 7 + 2 * 7`."""
    return " + ".join(f"{factor(slope)} * {factor(growth.upstream)}" for slope in growth.slopes)


def growth_told(growth: Growth, trace: Trace, arrow: str) -> str:
    """One gradient in one step: `a`: 0 → 5, grows by 5 = 1 * 5."""
    told = (
        f"`{shortened(trace.nodes[growth.node].label)}`: {number(growth.before)} {arrow}"
        f" {number(growth.after)}"
    )
    if growth.share is None:
        return told
    if growth.wrong:
        return (
            f"{told}, should be {pair(growth.after, growth.right or 0.0)[1]}: grow by"
            f" {number(growth.share)} = {shares(growth)}"
        )
    return f"{told}, grows by {number(growth.share)} = {shares(growth)}"
