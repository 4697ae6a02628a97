"""Compute with dual numbers, which carry a value and its derivative through every operation.

A dual number is a + a'ε with ε² = 0. The derivative is exact up to rounding. The method is
unrelated to reverse mode, so it and finite differences check each other.
"""

from __future__ import annotations

import math


class Dual:
    """A `value` and its `slope`, both floats."""

    __slots__ = ("slope", "value")

    def __init__(self, value: float, slope: float = 0.0) -> None:
        self.value = value
        self.slope = slope

    def __add__(self, other: Dual | float) -> Dual:
        other = lift(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Dual | float) -> Dual:
        other = lift(other)
        return Dual(self.value - other.value, self.slope - other.slope)

    def __rsub__(self, other: float) -> Dual:
        return lift(other) - self

    def __mul__(self, other: Dual | float) -> Dual:
        other = lift(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    __rmul__ = __mul__

    def __truediv__(self, other: Dual | float) -> Dual:
        other = lift(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def __rtruediv__(self, other: float) -> Dual:
        return lift(other) / self

    def __pow__(self, exponent: Dual | float) -> Dual:
        if isinstance(exponent, Dual):
            value = self.value**exponent.value
            slope = exponent.slope * math.log(self.value) if exponent.slope else 0.0
            return Dual(value, value * (slope + exponent.value * self.slope / self.value))
        if exponent == 0:
            return Dual(1.0, 0.0)
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)

    def __rpow__(self, base: float) -> Dual:
        value = base**self.value
        return Dual(value, value * math.log(base) * self.slope)


def lift(number: Dual | float) -> Dual:
    """Return a plain number as a dual one with slope 0."""
    return number if isinstance(number, Dual) else Dual(float(number))
