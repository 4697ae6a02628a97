"""The second operand of `-` gets the gradient with the wrong sign.

Nudge `b` in `a - b` up, and the difference goes down: its share is `-out.grad`. `self + (-other)`
takes care of the sign.
"""

CAUGHT_BY = ("phase3.minus-backward",)


class Value:
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other), "-")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
