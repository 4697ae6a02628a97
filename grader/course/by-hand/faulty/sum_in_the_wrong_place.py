"""`a * b + c` is computed as `a * (b + c)`.

The graph shows what comes first: t1 is `a * b`, and only then is `c` added. Follow the arrows, not
the line of text.
"""

CAUGHT_BY = ("by-hand.first-forward",)


def first():
    return {
        "t1": 6, "t2": 14, "t3": 7, "L": 98,
        "L.grad": 1, "t2.grad": 7, "t3.grad": 14, "t1.grad": 7, "b.grad": 14, "c.grad": 7, "d.grad": 14,
        "a from t1": 21, "a from t3": 14, "a.grad": 35,
    }
