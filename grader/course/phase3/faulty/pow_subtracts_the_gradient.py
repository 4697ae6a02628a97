"""`n * a ** n - 1 * out.grad` has no parentheses: only the 1 is multiplied by `out.grad`.

`**` comes first, then `*`, and `-` comes last. Put the new exponent in parentheses: `n * a ** (n -
1) * out.grad`.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data**exponent - 1 * out.grad

        out._backward = _backward
        return out
