"""`a - b` changes the sign of `b` itself.

The difference is right, but `b` no longer holds its own number. `-other` makes a new Value: `self +
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
