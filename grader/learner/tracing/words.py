"""Write numbers, shares and gradients in the same way for every view."""

from __future__ import annotations

from grader.learner.tracing.model import Growth, Trace
from grader.model import Shown
from grader.text import safe, shown

MAX_LABEL = 48


def number(value: Shown, digits: int = 6) -> str:
    """Return a number with a few significant digits, a text as it is, or `nothing` for None."""
    if isinstance(value, str):
        return safe(value, 60)
    return "nothing" if value is None else f"{value + 0.0:.{digits}g}"


def pair(got: Shown, right: float, digits: int = 6) -> tuple[str, str]:
    """Return two different numbers with enough digits to tell them apart."""
    few = number(got, digits), number(right, digits)
    return few if few[0] != few[1] else (shown(got), shown(right))


def shortened(label: str) -> str:
    """Return a label short enough for a sentence."""
    return label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"


def factor(value: float | None) -> str:
    """Return a number as a factor, in brackets if it is negative."""
    told = number(value)
    return f"({told})" if told.startswith("-") else told


def shares(growth: Growth) -> str:
    """Return the share as a sum over the uses of an operand: `3 * 7 + 2 * 7`."""
    return " + ".join(f"{factor(slope)} * {factor(growth.upstream)}" for slope in growth.slopes)


def growth_told(growth: Growth, trace: Trace, arrow: str) -> str:
    """Return one gradient in one step: `a`: 0 → 5, grows by 5 = 1 * 5."""
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
