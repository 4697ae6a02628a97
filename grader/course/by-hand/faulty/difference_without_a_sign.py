"""The right side of a difference gets the same share as the left.

In `a - b` the result falls when `b` grows, so the local derivative for `b` is -1.
"""

CAUGHT_BY = ("by-hand.second",)


def second():
    return {
        "t": -3, "u": 9, "y": 4.5,
        "y.grad": 1, "u.grad": 0.5, "c.grad": -2.25, "t.grad": -3, "a.grad": -3, "b.grad": -3,
    }
