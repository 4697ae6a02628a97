"""`s` passes its gradient on when only one of its two shares has arrived.

`s` is used in u and in t. Wait for both shares, add them up, and only then go on to `a` and `b`. An
order in which this always works is called a topological order.
"""

CAUGHT_BY = ("by-hand.third",)


def third():
    return {
        "s": -6, "t": -4, "u": 24, "f": 22,
        "f.grad": 1, "u.grad": 1, "t.grad": -6,
        "s from u": -4, "s from t": -6, "s.grad": -10, "b.grad": -8,
        "a from f": -1, "a from t": -6, "a from s": 12, "a.grad": 5,
    }
