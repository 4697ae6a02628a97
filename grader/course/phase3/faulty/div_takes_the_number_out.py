"""The denominator drops out of the graph, as in `self * (1 / other.data)`.

`1 / other.data` is a plain number, and no gradient flows through it. Keep to Values: `self *
other**-1`.
"""

CAUGHT_BY = ("phase3.divided-backward",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self * (1 / other.data)
