"""`__rtruediv__` calls itself forever, because it returns `other / self`.

`3 / a` calls `a.__rtruediv__(3)`, and there `other / self` is `3 / a` again. Use a product instead:
`other * self**-1`.
"""

CAUGHT_BY = ("phase3.number-divided",)


class Value:
    def __rtruediv__(self, other):
        return other / self
