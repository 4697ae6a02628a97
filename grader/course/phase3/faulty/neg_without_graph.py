"""`-a` is a new leaf, so no gradient flows back to `a`.

`Value(-self.data)` has no children and no backward step. Use an operation that has both: `self *
-1`.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        return Value(-self.data)
