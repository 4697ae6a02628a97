"""`self * (1 / other.data)`: the denominator drops out of the graph.

`1 / other.data` is a plain number, and gradients do not find their way through it. Stay with Values: `self *
other**-1`.
"""

CAUGHT_BY = ("phase3.divided-backward",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self * (1 / other.data)
