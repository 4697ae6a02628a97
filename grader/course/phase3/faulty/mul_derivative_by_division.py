"""The other factor is recovered by division: `out.data / self.data`.

That is the right number until a factor is 0; then it raises a ZeroDivisionError. The other factor
is at hand: `other.data`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += out.data / self.data * out.grad
            other.grad += out.data / other.data * out.grad

        out._backward = _backward
        return out
