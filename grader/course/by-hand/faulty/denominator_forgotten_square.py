"""The share of the denominator is -u / c instead of -u / c**2.

u / c is u * c**-1, and the derivative of c**-1 is -c**-2. Try it: 9 / 2.001 is about 4.49775, which
is 2.25 times 0.001 less than 4.5.
"""

CAUGHT_BY = ("by-hand.second",)


def second():
    return {
        "t": -3, "u": 9, "y": 4.5,
        "y.grad": 1, "u.grad": 0.5, "c.grad": -4.5, "t.grad": -3, "a.grad": -3, "b.grad": 3,
    }
