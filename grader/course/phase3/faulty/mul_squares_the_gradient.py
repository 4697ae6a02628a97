"""The backward step of `*` multiplies by `out.grad` twice.

The chain rule needs the local derivative and the arriving gradient, once each: `other.data *
out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad * out.grad
            other.grad += self.data * out.grad * out.grad

        out._backward = _backward
        return out
