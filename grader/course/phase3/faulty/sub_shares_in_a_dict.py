"""In `x - x` one of the two shares is lost.

If a dict keeps the derivatives by operand, both operands are the same key. Then -1 overwrites 1,
and `x` gets -1 although the two should cancel. Keep pairs in a list, which may hold the same Value
twice.
"""

CAUGHT_BY = ("phase4.same-node-twice",)


class Value:
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other), "-")
        slopes = {self: 1.0, other: -1.0}

        def _backward():
            for operand, slope in slopes.items():
                operand.grad += slope * out.grad

        out._backward = _backward
        return out
