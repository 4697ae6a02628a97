"""`-a` changes the sign of `a` itself.

After `b = -a` the old `a` is gone, and everything else that uses it is wrong. Make a new Value:
`self * -1`.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        self.data = -self.data
        return self
