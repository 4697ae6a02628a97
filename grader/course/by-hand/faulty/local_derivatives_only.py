"""These are only the local derivatives, without the gradient that comes from above.

`b` moves t1 by a factor of `a`, and t1 moves L by a factor of t1.grad. Multiply the two: that
product is the chain rule.
"""

CAUGHT_BY = ("by-hand.first-backward", "by-hand.first-sum")


def first():
    return {
        "t1": 6, "t2": 10, "t3": 7, "L": 70,
        "L.grad": 1, "t2.grad": 7, "t3.grad": 10, "t1.grad": 1, "b.grad": 2, "c.grad": 1, "d.grad": 1,
        "a from t1": 3, "a from t3": 1, "a.grad": 4,
    }
