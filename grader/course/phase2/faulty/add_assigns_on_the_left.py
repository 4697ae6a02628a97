"""`=` instead of `+=` in one of the two lines of the backward step of addition, that of the left operand.

One operand collects its shares, the other keeps the last one only. Look at both lines of `_backward`: each of them adds.
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
