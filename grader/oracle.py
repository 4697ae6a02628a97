"""The right numbers for a script, found without any autograd: dual numbers at once, finite differences to confirm.

The script itself is the function. It is evaluated in other arithmetics, with one of its nodes nudged; the learner's own
forward pass is never asked, since it cannot see its own mistakes. Central differences are taken with 50 digits and a
step of 1e-20, where truncation (about 1e-40) and rounding (about 1e-30) both vanish against a float's 1e-16.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.dual import Dual
from grader.script import Apply, Builtin, Make, Operand, Put, Repeat, Step
from grader.wire import Ref

DIGITS = 50
STEP = "1e-20"
HOW = f"finite differences, step {STEP}, {DIGITS} digits"
TOLERANCE = 1e-6

Arithmetic = Any
"""Whatever has Python's operators: a float, a `Dual`, an mpmath number."""

_OPERATORS: dict[str, Callable[..., Arithmetic]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
}


def close(got: float, want: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a number is right: within 1e-6 of `want`, or of its size if that is more than 1. False for NaN.

    1e-6 accepts 32-bit storage and a 1e-8 guard against division by zero, and rejects a derivative by forward differences.
    """
    return abs(got - want) <= tolerance * (1.0 + abs(want)) or got == want


def evaluate(
    steps: Sequence[Step],
    number: Callable[[float], Arithmetic] = float,
    nudge: Mapping[Ref, Callable[[Arithmetic], Arithmetic]] | None = None,
) -> dict[Ref, Arithmetic]:
    """The value of every node of a script, in the arithmetic that `number` converts to; `nudge` changes nodes as they are made."""
    values: dict[Ref, Arithmetic] = {}
    nudge = nudge or {}
    for step in steps:
        made = _value(step, values, number)
        if made is not None:
            ref, value = made
            values[ref] = nudge[ref](value) if ref in nudge else value
    return values


def _value(
    step: Step, values: Mapping[Ref, Arithmetic], number: Callable[[float], Arithmetic]
) -> tuple[Ref, Arithmetic] | None:
    def get(operand: Operand) -> Arithmetic:
        if isinstance(operand, Ref):
            return values[operand]
        if isinstance(operand, list):
            return [get(item) for item in operand]
        assert isinstance(operand, (int, float))
        return number(operand)

    if isinstance(step, Make):
        return step.target, get(step.args[0])
    if isinstance(step, Apply):
        if step.op == "**" and not isinstance(step.args[1], Ref):
            return step.target, get(step.args[0]) ** step.args[1]  # type: ignore[operator]
        return step.target, _OPERATORS[step.op](*map(get, step.args))
    if isinstance(step, Builtin) and step.function == "sum":
        return step.target, sum(get(step.args[0]), number(0))
    if isinstance(step, Repeat):
        value, other = get(step.start), None if step.other is None else get(step.other)
        for _ in range(step.count):
            value = _OPERATORS[step.op](value, value if other is None else other)
        return step.target, value
    if isinstance(step, Put):
        return None
    return None


def derivative(steps: Sequence[Step], of: Ref, wrt: Ref) -> float:
    """d(of)/d(wrt) by dual numbers: everything that `wrt` itself depends on is held fixed."""

    def seed(value: Arithmetic) -> Dual:
        return Dual(value.value if isinstance(value, Dual) else float(value), 1.0)

    result = evaluate(steps, float, {wrt: seed})[of]
    return result.slope if isinstance(result, Dual) else 0.0


def gradients(steps: Sequence[Step], of: Ref, wrt: Sequence[Ref]) -> dict[Ref, float]:
    """d(of)/d(node) for every node asked for."""
    return {ref: derivative(steps, of, ref) for ref in wrt}


def finite_difference(steps: Sequence[Step], of: Ref, wrt: Ref) -> float:
    """d(of)/d(wrt) by a central difference in 50-digit arithmetic."""
    import mpmath

    with mpmath.workdps(DIGITS):
        step = mpmath.mpf(STEP)
        above = evaluate(steps, mpmath.mpf, {wrt: lambda value: value + step})[of]
        below = evaluate(steps, mpmath.mpf, {wrt: lambda value: value - step})[of]
        return float((above - below) / (2 * step))
