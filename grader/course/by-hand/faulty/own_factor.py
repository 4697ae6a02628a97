"""Each factor of a product gets its own number instead of the other factor.

If t2 grows by 1 in `t2 * t3`, the product grows by t3. So t2 gets t3 times the gradient, and t3
gets t2 times the gradient.
"""

CAUGHT_BY = ("by-hand.first-backward", "by-hand.first-sum")


def first():
    return {
        "t1": 6, "t2": 10, "t3": 7, "L": 70,
        "L.grad": 1, "t2.grad": 10, "t3.grad": 7, "t1.grad": 10, "b.grad": 30, "c.grad": 10, "d.grad": 7,
        "a from t1": 20, "a from t3": 7, "a.grad": 27,
    }
