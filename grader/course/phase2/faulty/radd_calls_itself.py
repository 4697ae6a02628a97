"""`__radd__` returns `other + self`.

For that Python has to call `__radd__` again, and so on without end. Turn it round: `self + other` calls `__add__`.
"""

CAUGHT_BY = ("phase2.number-left",)


class Value:
    def __radd__(self, other):
        return other + self
