"""`__radd__` ignores the number on the left and returns `self`.

That is right for 0, which `sum` starts with, but for no other number. `self + other` is right for
all of them, including 0.
"""

CAUGHT_BY = ("phase2.number-left",)


class Value:
    def __radd__(self, other):
        return self
