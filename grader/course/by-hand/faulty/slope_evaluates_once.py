"""`slope` divides the result by the step, without comparing it with anything.

A slope is about how far the result *moved*. That takes two results and their difference.
"""

CAUGHT_BY = ("by-hand.slope-line",)


def slope(f, x):
    h = 0.001
    return f(x + h) / h
