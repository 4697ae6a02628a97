"""`slope` nudges `x` by so little that a float does not notice.

A float holds about 16 digits, so `3 + 1e-300` is 3. The result does not move, and every slope
comes out as 0.
"""

CAUGHT_BY = ("by-hand.slope-line",)


def slope(f, x):
    h = 1e-300
    return (f(x + h) - f(x)) / h
