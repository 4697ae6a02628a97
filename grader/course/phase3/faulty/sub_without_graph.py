"""`a - b` is a number that came from nowhere.

`Value(self.data - other.data)` has no children and no backward step. `self + (-other)` has both, since `+` and `-`
have.
"""

CAUGHT_BY = ("phase3.minus-backward",)


class Value:
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data - other.data)
