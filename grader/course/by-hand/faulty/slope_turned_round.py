"""`slope` subtracts the results the wrong way round, so every sign is wrong.

Where the function grows, `f(x + h)` is larger than `f(x - h)`, and the slope must be positive.
"""

CAUGHT_BY = ("by-hand.slope-line",)


def slope(f, x):
    h = 0.001
    return (f(x - h) - f(x + h)) / (2 * h)
