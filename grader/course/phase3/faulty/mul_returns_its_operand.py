"""The product is put into `self`, and `self` is returned.

Then the old number of `a` is lost, and there is no node for the product. Make a new Value: `Value(self.data * other.data, ...)`.
"""

CAUGHT_BY = ("phase3.times",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data *= other.data
        return self
