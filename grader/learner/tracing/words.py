"""Write numbers, shares and gradients in the same way for every view."""

from __future__ import annotations

from grader.learner.tracing.model import Growth, Trace
from grader.model import Fault, Kind, Shown
from grader.text import safe, shown

MAX_LABEL = 48


def number(value: Shown) -> str:
    """Return a number with a few significant digits, a text as it is, or `nothing` for None."""
    if isinstance(value, str):
        return safe(value, 60)
    return "nothing" if value is None else f"{value + 0.0:.6g}"


def pair(got: Shown, right: float) -> tuple[str, str]:
    """Return two different numbers with enough digits to tell them apart."""
    few = number(got), number(right)
    return few if few[0] != few[1] else (shown(got), shown(right))


def shortened(label: str) -> str:
    """Return a label short enough for a sentence."""
    return label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"


def factor(value: float | None) -> str:
    """Return a number as a factor, in brackets if it is negative."""
    text = number(value)
    return f"({text})" if text.startswith("-") else text


def shares(growth: Growth) -> str:
    """Return the share as a sum over the uses of an operand: `3 * 7 + 2 * 7`."""
    return " + ".join(f"{factor(slope)} * {factor(growth.upstream)}" for slope in growth.slopes)


def growth_text(growth: Growth, trace: Trace, arrow: str) -> str:
    """Return one gradient in one step: `a`: 0 → 5, grows by 5 = 1 * 5."""
    text = (
        f"`{shortened(trace.nodes[growth.node].label)}`: {number(growth.before)} {arrow}"
        f" {number(growth.after)}"
    )
    if growth.share is None:
        return text
    if growth.wrong:
        return (
            f"{text}, should be {pair(growth.after, growth.right or 0.0)[1]}: grow by"
            f" {number(growth.share)} = {shares(growth)}"
        )
    return f"{text}, grows by {number(growth.share)} = {shares(growth)}"


def fault_text(fault: Fault, what: str) -> str:
    """Say what the engine did instead of answering, and where."""
    where = ""
    if fault.frames:
        last = fault.frames[-1]
        source = f": `{safe(last.source, 120).strip()}`" if last.source else ""
        where = f" ({safe(last.file, 80)}, line {last.line}{source})"
    if fault.stub and fault.kind is Kind.RAISED:
        return f"`{safe(fault.stub, 80)}` is not written yet."
    message = safe(fault.message, 300)
    text = {
        Kind.RAISED: (
            f"`{what}` raises {safe(fault.type_name, 80)}" + (f": {message}" if message else "")
        ),
        Kind.SYNTAX: f"`{what}` fails because it is not valid Python: {message}",
        Kind.TIMEOUT: f"`{what}` does not end",
        Kind.MEMORY: f"`{what}` runs out of memory",
        Kind.EXITED: f"`{what}` exits Python",
    }
    return f"{text.get(fault.kind, f'`{what}` crashes Python: {message}')}{where}."
