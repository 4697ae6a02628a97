"""Compute with dual numbers, which carry a value and its derivative through every operation.

A dual number is a + a'ε with ε² = 0. The derivative is exact up to rounding. The method is
unrelated to reverse mode, so it and finite differences check each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from grader.judge.script.operators import Operators


class Dual(Operators):
    """A `value` and its `slope`, both floats."""

    def __init__(self, value: float, slope: float = 0.0) -> None:
        self.value = value
        self.slope = slope

    def _apply(self, op: str, *args: Dual | float) -> Dual:
        if op == "**":
            return _power(*args)
        return _RULES[op](*map(lift, args))


def _quotient(one: Dual, other: Dual) -> Dual:
    quotient = one.value / other.value
    return Dual(quotient, (one.slope - quotient * other.slope) / other.value)


def _power(base: Dual | float, exponent: Dual | float) -> Dual:
    if isinstance(base, Dual) and not isinstance(exponent, Dual):
        if exponent == 0:
            return Dual(1.0)
        slope = exponent * base.value ** (exponent - 1) * base.slope
        return Dual(base.value**exponent, slope)
    base, exponent = lift(base), lift(exponent)
    value = base.value**exponent.value
    slope = exponent.slope * math.log(base.value) if exponent.slope else 0.0
    return Dual(value, value * (slope + exponent.value * base.slope / base.value))


def lift(number: Dual | float) -> Dual:
    """Return a plain number as a dual one with slope 0."""
    return number if isinstance(number, Dual) else Dual(float(number))


_RULES: dict[str, Callable[..., Dual]] = {
    "+": lambda a, b: Dual(a.value + b.value, a.slope + b.slope),
    "-": lambda a, b: Dual(a.value - b.value, a.slope - b.slope),
    "*": lambda a, b: Dual(a.value * b.value, a.slope * b.value + a.value * b.slope),
    "/": _quotient,
    "neg": lambda a: Dual(-a.value, -a.slope),
}
