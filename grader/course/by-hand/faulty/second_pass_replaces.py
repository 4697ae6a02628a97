"""The second pass starts from zero, as if the gradients had been cleared.

Nothing clears the gradients between the passes, so every share is added to what is there. Later,
`zero_grad()` will clear them.
"""

CAUGHT_BY = ("by-hand.fourth-again",)


def fourth():
    return {
        "t1": 6, "t2": 5, "f": 15,
        "f.grad after 1": 1, "t2.grad after 1": 3, "t1.grad after 1": 3,
        "c.grad after 1": 3, "b.grad after 1": 9, "a.grad after 1": 11,
        "f.grad after 2": 1, "t2.grad after 2": 3, "t1.grad after 2": 3,
        "c.grad after 2": 3, "b.grad after 2": 9, "a.grad after 2": 11,
    }
