"""A negative exponent is refused.

a**-1 is 1/a, and the formula n * a**(n-1) holds for it too. Division as `self * other**-1` needs
it.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)) or exponent < 0:
            raise TypeError("the exponent must be 0 or more")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += out.grad / other.data
            other.grad -= self.data / other.data**2 * out.grad

        out._backward = _backward
        return out

    def __rtruediv__(self, other):
        return Value(other) / self
