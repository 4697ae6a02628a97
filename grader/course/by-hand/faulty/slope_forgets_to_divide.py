"""`slope` returns how far the result moved without dividing by the step.

The slope is how far the result moves for every 1 that `x` moves. If it moves 0.006 while `x` moves
0.001, that is 0.006 / 0.001 = 6.
"""

CAUGHT_BY = ("by-hand.slope-line",)


def slope(f, x):
    h = 0.001
    return f(x + h) - f(x)
