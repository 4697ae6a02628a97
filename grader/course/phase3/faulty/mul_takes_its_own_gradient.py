"""The backward step of `*` uses the operand's own gradient instead of `out.grad`.

The gradient comes from the result. `self.grad` is where the share goes, so it stays at 0. Write
`self.grad += other.data * out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * self.grad
            other.grad += self.data * other.grad

        out._backward = _backward
        return out
