"""Each operand of `+` gets the other operand's gradient.

The gradients of the operands are where the shares go, not where they come from. Both lines read
`out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += other.grad
            other.grad += self.grad

        out._backward = _backward
        return out
