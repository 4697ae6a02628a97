"""Write numbers, shares and gradients in the same way for every view."""

from __future__ import annotations

from collections.abc import Callable

from grader.learner.tracing.model import Growth, Number, Trace
from grader.model import Fault, Kind, Shown
from grader.text import factor, safe, shown
from grader.views.plain import code_line


def number(value: Shown, digits: int = 6, limit: int = 60, nothing: str = "nothing") -> str:
    """Return a number with a few significant digits, a text as it is, or `nothing` for None."""
    if isinstance(value, str):
        return safe(value, limit)
    return nothing if value is None else f"{value + 0.0:.{digits}g}"


def digits(value: Shown) -> str:
    """Return a number with four significant digits, as in a picture."""
    return number(value, 4, 16, "·")


def pair(compared: Number, write: Callable[[Shown], str] = number) -> tuple[str, str]:
    """Return a number and the right one, with enough digits to tell them apart."""
    few = write(compared.got), write(compared.right)
    return few if few[0] != few[1] else (shown(compared.got), shown(compared.right))


def shortened(label: str, limit: int = 48) -> str:
    """Return a label short enough for a sentence. It keeps its end, where long sums differ."""
    return label if len(label) <= limit else f"…{label[1 - limit :]}"


def growth_text(growth: Growth, trace: Trace, arrow: str) -> str:
    """Return one gradient in one step: `a`: 0 → 5, grows by 5 = 1 * 5. The share is a sum over the
    uses of an operand: `3 * 7 + (-2) * 7`.
    """
    text = (
        f"`{shortened(trace.nodes[growth.node].label)}`: {number(growth.before)} {arrow}"
        f" {number(growth.after)}"
    )
    if growth.share is None:
        return text
    upstream = factor(number(growth.upstream))
    products = [f"{factor(number(slope))} * {upstream}" for slope in growth.slopes]
    share = f"{number(growth.share)} = {' + '.join(products)}"
    if growth.gradient.wrong:
        return f"{text}, should be {pair(growth.gradient)[1]}: grow by {share}"
    return f"{text}, grows by {share}"


def fault_text(fault: Fault, what: str) -> str:
    """Say what the engine did instead of answering, and where."""
    if fault.kind is Kind.RAISED and (fault.stub or fault.type_name == "NotImplementedError"):
        return f"`{safe(fault.stub or fault.message, 80)}` is not written yet."
    return f"`{what}` {described(fault)}."


def described(fault: Fault) -> str:
    """Return a fault as a predicate with its place: `raises TypeError: … (engine.py:2)`."""
    message = safe(" ".join(fault.message.split()), 300)
    told = f": {message}" if message else ""
    text = {
        Kind.RAISED: f"raises {safe(fault.type_name, 80)}{told}",
        Kind.SYNTAX: f"fails because it is not valid Python{told}",
        Kind.TIMEOUT: "does not end",
        Kind.MEMORY: "runs out of memory",
        Kind.EXITED: "exits Python",
        Kind.CRASHED: f"crashes Python{told}",
    }.get(fault.kind, f"raises {safe(fault.type_name, 80)}{told}")
    return f"{text} ({code_line(fault.frames[-1])})" if fault.frames else text
