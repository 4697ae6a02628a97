"""`-a` is a number that came from nowhere.

`Value(-self.data)` is a new leaf: it does not know `a`, and sends nothing back to it. Say it with an operation that
does: `self * -1`.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        return Value(-self.data)
