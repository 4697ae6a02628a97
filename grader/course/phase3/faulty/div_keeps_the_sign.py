"""The denominator's share has the wrong sign.

A larger denominator makes a smaller quotient: d(a/b)/db is -a / b**2. `self * other**-1` takes care
of the sign.
"""

CAUGHT_BY = ("phase3.divided-backward",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += out.grad / other.data
            other.grad += self.data / other.data**2 * out.grad

        out._backward = _backward
        return out
