"""A backward step of division uses `=` instead of `+=`.

A value that is used twice gets two shares of the gradient. `=` keeps only the last one; `+=` and
`-=` add them up.
"""

CAUGHT_BY = ("phase3.divided-backward",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad = out.grad / other.data
            other.grad = -self.data / other.data**2 * out.grad

        out._backward = _backward
        return out
