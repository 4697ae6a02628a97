"""The numbers are written as strings, in quotes.

Put the names in quotes, but not the numbers: `"t1": 6`.
"""

CAUGHT_BY = ("by-hand.first-forward", "by-hand.first-backward", "by-hand.first-sum")


def first():
    return {
        "t1": "6", "t2": "10", "t3": "7", "L": "70",
        "L.grad": "1", "t2.grad": "7", "t3.grad": "10", "t1.grad": "7", "b.grad": "14", "c.grad": "7", "d.grad": "10",
        "a from t1": "21", "a from t3": "10", "a.grad": "31",
    }
