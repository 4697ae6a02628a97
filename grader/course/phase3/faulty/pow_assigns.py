"""The backward step of a power uses `=` instead of `+=`.

A value that is used twice gets two shares of the gradient. `=` keeps only the last one; `+=` adds
them up.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad = exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
