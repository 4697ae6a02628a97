"""`__radd__` calls itself forever, because it returns `other + self`.

For `other + self` Python has to call `__radd__` again. Swap the two: `self + other` calls
`__add__`.
"""

CAUGHT_BY = ("phase2.number-left",)


class Value:
    def __radd__(self, other):
        return other + self
