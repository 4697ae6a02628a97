"""`__rmul__` calls itself forever, because it returns `other * self`.

`2 * a` calls `a.__rmul__(2)`, and there `other * self` is `2 * a` again. Turn it round: `self *
other` calls `__mul__`.
"""

CAUGHT_BY = ("phase3.number-times",)


class Value:
    def __rmul__(self, other):
        return other * self
