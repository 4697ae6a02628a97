"""`__neg__` calls itself forever, because it returns `-self`.

`-self` is exactly what `__neg__` has to compute. Use an operation that works already: `self * -1`.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        return -self
