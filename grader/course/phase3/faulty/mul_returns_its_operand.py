"""`a * b` puts the product into `a` and returns `a`.

The old number of `a` is lost, and the product has no node. Make a new Value: `Value(self.data *
other.data, ...)`.
"""

CAUGHT_BY = ("phase3.times",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data *= other.data
        return self
