"""In the backward step of addition, the line for the left operand uses `=` instead of `+=`.

The left operand keeps only its last share. Look at both lines of `_backward`: each must add.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad = out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
