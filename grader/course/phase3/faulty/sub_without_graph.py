"""`a - b` is a new leaf, so no gradient flows back to `a` or `b`.

`Value(self.data - other.data)` has no children and no backward step. `self + (-other)` has both,
since the results of `+` and `-` do.
"""

CAUGHT_BY = ("phase3.minus-backward",)


class Value:
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data - other.data)
