"""In a division, only the numerator gets a gradient.

The denominator moves the quotient too: d(a/b)/db is -a / b**2. With `self * other**-1` both shares
come for free.
"""

CAUGHT_BY = ("phase3.divided-backward",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += out.grad / other.data

        out._backward = _backward
        return out
