"""`exponent * self.data ** exponent - 1` lacks parentheses around `exponent - 1`.

`**` binds more tightly than `-`, so Python subtracts 1 from the whole product, not from the
exponent. Write `self.data ** (exponent - 1)`.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += (exponent * self.data**exponent - 1) * out.grad

        out._backward = _backward
        return out
