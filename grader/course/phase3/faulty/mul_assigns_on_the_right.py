"""In the backward step of multiplication, the line for the right operand uses `=` instead of `+=`.

The right operand keeps only its last share. Look at both lines of `_backward`: each must add.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad = self.data * out.grad

        out._backward = _backward
        return out
