"""The second pass adds 1 to the gradient of the result instead of setting it to 1.

The result's own gradient is 1 by definition, in every pass. Only the nodes below it add up the
shares that arrive.
"""

CAUGHT_BY = ("by-hand.fourth-again",)


def fourth():
    return {
        "t1": 6, "t2": 5, "f": 15,
        "f.grad after 1": 1, "t2.grad after 1": 3, "t1.grad after 1": 3,
        "c.grad after 1": 3, "b.grad after 1": 9, "a.grad after 1": 11,
        "f.grad after 2": 2, "t2.grad after 2": 9, "t1.grad after 2": 12,
        "c.grad after 2": 12, "b.grad after 2": 45, "a.grad after 2": 45,
    }
