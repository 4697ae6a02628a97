"""`__radd__` returns `self`, because `sum` begins with 0.

That is right for 0 and for no other number. `self + other` is right for all of them, 0 included.
"""

CAUGHT_BY = ("phase2.number-left",)


class Value:
    def __radd__(self, other):
        return self
