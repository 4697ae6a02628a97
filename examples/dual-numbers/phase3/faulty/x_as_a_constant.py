"""x has the slope 0.

`Dual(x)` is a constant, and so is everything computed from it. x itself moves as fast as x: `Dual(x, 1.0)`.
"""

CAUGHT_BY = ("phase3.derivative",)


def derivative(f, x):
    y = f(Dual(x))
    return y.slope if isinstance(y, Dual) else 0.0
