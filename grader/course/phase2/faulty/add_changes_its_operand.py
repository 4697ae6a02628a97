"""`+=` on the operand's number.

`self.data += other.data` changes `a` for everybody who uses it, so that `a + b` gives another answer the second time.
Compute the sum on the side: `Value(self.data + other.data, ...)`.
"""

CAUGHT_BY = ("phase2.operands-untouched",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data += other.data
        out = Value(self.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
