"""The product does not know its operands.

The number is right, but the backward pass stops at it. Pass the operands to the constructor:
`Value(..., (self, other), "*")`.
"""

CAUGHT_BY = ("phase3.times-graph",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
