"""A small step instead of the slope.

(f(x + h) - f(x)) / h is close to the derivative, but not exact. The slope of `f(Dual(x, 1.0))` is exact.
"""

CAUGHT_BY = ("phase3.derivative",)


def derivative(f, x):
    return (f(x + 1e-5) - f(x)) / 1e-5
