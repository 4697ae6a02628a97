"""`slope` nudges by 1, which is too far.

On a straight line any step will do. A curve bends on the way, and the bend counts as slope. The
error shrinks with the step.
"""

CAUGHT_BY = ("by-hand.slope-curve",)


def slope(f, x):
    return f(x + 1) - f(x)
