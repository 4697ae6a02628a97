"""`slope` nudges to both sides and divides by h.

From `x - h` to `x + h` the distance is 2 * h, so every slope comes out twice as large.
"""

CAUGHT_BY = ("by-hand.slope-line",)


def slope(f, x):
    h = 0.001
    return (f(x + h) - f(x - h)) / h
