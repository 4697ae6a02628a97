"""The backward step of multiplication uses `=` instead of `+=`.

A value that is used twice gets two shares of the gradient. `=` keeps only the last one; `+=` adds
them up.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad

        out._backward = _backward
        return out
