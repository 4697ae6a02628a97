"""In `x * x` one of the two shares is lost.

If a dict keeps the derivatives by operand, both operands are the same key, and the second entry
overwrites the first. Keep pairs in a list, which may hold the same Value twice.
"""

CAUGHT_BY = ("phase4.reused-intermediate",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        slopes = {self: other.data, other: self.data}

        def _backward():
            for operand, slope in slopes.items():
                operand.grad += slope * out.grad

        out._backward = _backward
        return out
