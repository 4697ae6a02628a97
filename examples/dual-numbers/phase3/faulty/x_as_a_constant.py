"""x goes in with the slope 0.

`Dual(x)` is a constant, and nothing that is made of constants moves. x itself moves as fast as x: `Dual(x, 1.0)`.
"""

CAUGHT_BY = ("phase3.derivative",)


def derivative(f, x):
    y = f(Dual(x))
    return y.slope if isinstance(y, Dual) else 0.0
