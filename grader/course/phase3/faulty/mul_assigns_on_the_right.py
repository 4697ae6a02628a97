"""`=` instead of `+=` in one of the two lines of the backward step of multiplication, that of the right operand.

One operand collects its shares, the other keeps the last one only. Look at both lines of `_backward`: each of them adds.
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
