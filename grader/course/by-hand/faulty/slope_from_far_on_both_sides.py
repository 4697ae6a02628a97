"""`slope` nudges by 1 to both sides, which is too far.

It is right for `x * x`, where the bends on the two sides cancel. They do not for `x * x * x`.
"""

CAUGHT_BY = ("by-hand.slope-curve",)


def slope(f, x):
    return (f(x + 1) - f(x - 1)) / 2
