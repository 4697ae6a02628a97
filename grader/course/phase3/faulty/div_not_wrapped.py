"""A plain number as the denominator has no `data`.

`a / 3` hands a bare 3 to `__truediv__`. Wrap it first, or write `self * other**-1`, which works for both.
"""

CAUGHT_BY = ("phase3.divided",)


class Value:
    def __truediv__(self, other):
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += out.grad / other.data
            other.grad -= self.data / other.data**2 * out.grad

        out._backward = _backward
        return out
