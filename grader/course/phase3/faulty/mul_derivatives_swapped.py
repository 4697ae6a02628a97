"""Each factor gets its own number instead of the other's.

Nudge `a` in `a * b` slightly, and the product moves `b` times as far. So `self` gets `other.data`
times the gradient, and `other` gets `self.data` times the gradient.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out._backward = _backward
        return out
