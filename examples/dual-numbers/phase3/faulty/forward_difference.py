"""A small step in place of a slope.

(f(x + h) - f(x)) / h is near the derivative and never at it. The slope of `f(Dual(x, 1.0))` is exact.
"""

CAUGHT_BY = ("phase3.derivative",)


def derivative(f, x):
    return (f(x + 1e-5) - f(x)) / 1e-5
