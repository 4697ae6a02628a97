"""`a ** 0` computes `a ** 1`.

`exponent or 1` replaces 0, because 0 counts as False. Every number to the power of 0 is 1.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        exponent = exponent or 1
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
