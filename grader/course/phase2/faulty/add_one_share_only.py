"""Only one of the operands of `+` gets its share of the gradient.

Both operands move the sum, so the backward step has a line for each: one for `self.grad`, one for
`other.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad

        out._backward = _backward
        return out
