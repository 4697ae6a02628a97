"""The backward step of `*` uses `out.data` instead of `out.grad`.

`out.data` is the product. The gradient that arrived at the result is `out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.data
            other.grad += self.data * out.data

        out._backward = _backward
        return out
