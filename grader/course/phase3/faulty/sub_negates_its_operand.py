"""`a - b` turns the sign of `b` itself.

The difference is right, and `b` is not the number any more that it was. `-other` makes a new Value: `self +
(-other)`.
"""

CAUGHT_BY = ("phase3.operands-untouched",)


class Value:
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        other.data = -other.data
        out = Value(self.data + other.data, (self, other), "-")

        def _backward():
            self.grad += out.grad
            other.grad -= out.grad

        out._backward = _backward
        return out
