"""Division uses `//` instead of `/`.

`//` rounds down to a whole number, so 1 // 4 is 0. Use `/`.
"""

CAUGHT_BY = ("phase3.divided",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data // other.data, (self, other), "/")

        def _backward():
            self.grad += out.grad / other.data
            other.grad -= self.data / other.data**2 * out.grad

        out._backward = _backward
        return out
