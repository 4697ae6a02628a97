"""Division does not wrap a plain number as the denominator.

`a / 3` passes a bare 3 to `__truediv__`, and an int has no `data`. Wrap it first, or write `self *
other**-1`, which works for both.
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
