"""The second pass doubles every gradient.

That is right for t2. But t2 then holds 6 and sends all of it on, so t1 and c get 6 on top of their
3. The nodes below them grow by even more.
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
