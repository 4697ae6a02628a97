"""`__truediv__` calls itself forever, because it returns `self / other`.

`self / other` is exactly what `__truediv__` has to compute. Use operations that work already: `self
* other**-1`.
"""

CAUGHT_BY = ("phase3.divided",)


class Value:
    def __truediv__(self, other):
        return self / other
