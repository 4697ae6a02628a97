"""A second pass is taken to double every gradient.

It does for what is one operation below the result. But t2 holds 6 when the second pass comes to it, and sends all of that: t1 and c
get 6 on top of 3. Each further step away adds one more.
"""

CAUGHT_BY = ("by-hand.fourth-again",)


def fourth():
    return {
        "t1": 6, "t2": 5, "f": 15,
        "f.grad after 1": 1, "t2.grad after 1": 3, "t1.grad after 1": 3,
        "c.grad after 1": 3, "b.grad after 1": 9, "a.grad after 1": 11,
        "f.grad after 2": 1, "t2.grad after 2": 6, "t1.grad after 2": 6,
        "c.grad after 2": 6, "b.grad after 2": 18, "a.grad after 2": 22,
    }
