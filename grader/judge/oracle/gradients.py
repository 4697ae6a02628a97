"""Compute a script's expected values without autograd, by two independent methods.

The script itself is the function. It is evaluated in other arithmetics, with one node nudged. The
learner's own forward pass is never used, because it cannot reveal its own mistakes. Dual numbers
give the values at once; central differences confirm them. These use 50 digits and a step of 1e-20,
so truncation (about 1e-40) and rounding (about 1e-30) are both negligible next to a float's 1e-16.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from grader.judge.oracle.dual import Dual
from grader.judge.oracle.functions import FUNCTIONS, apply_function
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Builtin, Call, Make, Operand, Repeat, Step
from grader.worker.protocol import Ref

DIGITS = 50
STEP = "1e-20"
HOW = f"finite differences, step {STEP}, {DIGITS} digits"
TOLERANCE = 1e-6

Arithmetic = Any
"""Anything with Python's operators: a float, a `Dual`, an mpmath number."""


def close(got: float, want: float, tolerance: float = TOLERANCE) -> bool:
    """Return whether |got - want| <= tolerance * (1 + |want|).

    NaN is never close; inf only to itself. The default 1e-6 accepts 32-bit storage and a 1e-8 guard
    against division by zero, but rejects a derivative from forward differences.
    """
    if not math.isfinite(want):
        return got == want
    return abs(got - want) <= tolerance * (1.0 + abs(want))


def as_single(number: float) -> float:
    """Return a number rounded to 32 bits."""
    return array("f", [number])[0]


class Operation(NamedTuple):
    """A node of a script: its function and that function's operands, each a node or a number.

    A number's slot has None in place of the node.
    """

    target: Ref
    compute: Callable[..., Arithmetic]
    slots: tuple[tuple[Ref | None, float], ...]

    def numbers(self, values: Mapping[Ref, Any]) -> list[Any]:
        """Return the numbers of its operands; None for a node without a value."""
        return [number if ref is None else values.get(ref) for ref, number in self.slots]


def operations(steps: Sequence[Step]) -> list[Operation]:
    """Return a script's nodes in the order they are made. Steps without a number are left out."""
    return [found for step in steps if (found := _operation(step)) is not None]


def _operation(step: Step) -> Operation | None:
    if isinstance(step, Make):
        for name in step.operators() & FUNCTIONS.keys():
            return Operation(step.target, partial(apply_function, name), _slots(step.args))
        return Operation(step.target, lambda number: number, _slots(step.args[:1]))
    if isinstance(step, Apply):
        return Operation(step.target, OPERATORS[step.op].compute, _slots(step.args))
    if isinstance(step, Call) and step.method in FUNCTIONS and not step.args:
        return Operation(step.target, partial(apply_function, step.method), ((step.on, 0.0),))
    if isinstance(step, Builtin) and step.function == "sum":
        return Operation(step.target, lambda *numbers: sum(numbers), _slots(step.args[0]))
    if isinstance(step, Repeat):
        operands: list[Operand] = [step.start] if step.other is None else [step.start, step.other]
        return Operation(
            step.target, partial(_repeat, OPERATORS[step.op].compute, step.count), _slots(operands)
        )
    return None


def _slots(operands: Operand) -> tuple[tuple[Ref | None, float], ...]:
    assert isinstance(operands, list)
    return tuple((arg, 0.0) if isinstance(arg, Ref) else (None, arg) for arg in operands)  # type: ignore[misc]


def _repeat(
    apply: Callable[..., Arithmetic], count: int, start: Arithmetic, other: Arithmetic | None = None
) -> Arithmetic:
    for _ in range(count):
        start = apply(start, start if other is None else other)
    return start


def evaluate(
    steps: Sequence[Step],
    number: Callable[[float], Arithmetic] = float,
    nudge: Mapping[Ref, Callable[[Arithmetic], Arithmetic]] | None = None,
) -> dict[Ref, Arithmetic]:
    """Return the value of every node.

    `number` converts the leaves and so sets the arithmetic. `nudge` changes nodes as they are made.
    """
    values: dict[Ref, Arithmetic] = {}
    for node, compute, slots in operations(steps):
        args = [value if ref is None else values[ref] for ref, value in slots]
        value = compute(*args)
        if len(slots) == 1 and slots[0][0] is None:
            value = number(value)
        values[node] = nudge[node](value) if nudge and node in nudge else value
    return values


def gradients(steps: Sequence[Step], of: Ref, wrt: Sequence[Ref]) -> dict[Ref, float]:
    """Return d(of)/d(node) for every node in `wrt`, computed with dual numbers.

    The node's own operands are held fixed.
    """
    made = operations(steps)
    values = evaluate(steps)
    known = [
        [(ref, value if ref is None else values[ref]) for ref, value in slots]
        for _, _, slots in made
    ]
    place = {node: index for index, (node, _, _) in enumerate(made)}
    found = {}
    for ref in wrt:
        duals = {ref: Dual(values[ref], 1.0)}
        for index in range(place[ref] + 1, len(made)):
            for used, _ in known[index]:
                if used in duals:
                    node, compute, _ = made[index]
                    duals[node] = compute(*[duals.get(used, value) for used, value in known[index]])  # type: ignore[arg-type]
                    break
        found[ref] = duals[of].slope if of in duals else 0.0
    return found


def local_derivative(node: Operation, numbers: Sequence[float], place: int) -> float:
    """Return the derivative of an operation with respect to one of its operands' numbers."""
    nudged: list[Arithmetic] = [*numbers]
    nudged[place] = Dual(float(numbers[place]), 1.0)
    return float(node.compute(*nudged).slope)


def finite_difference(steps: Sequence[Step], of: Ref, wrt: Ref) -> float:
    """Return d(of)/d(wrt) as a central difference in 50-digit arithmetic."""
    import mpmath

    with mpmath.workdps(DIGITS):
        step = mpmath.mpf(STEP)
        above = evaluate(steps, mpmath.mpf, {wrt: lambda value: value + step})[of]
        below = evaluate(steps, mpmath.mpf, {wrt: lambda value: value - step})[of]
        return float((above - below) / (2 * step))
