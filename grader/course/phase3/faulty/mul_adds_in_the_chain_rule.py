"""The backward step of `*` adds the local derivative to `out.grad` instead of multiplying.

The chain rule multiplies: the share of an operand is the local derivative times the gradient that
arrived. Write `other.data * out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data + out.grad
            other.grad += self.data + out.grad

        out._backward = _backward
        return out
