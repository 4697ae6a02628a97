"""A power is computed as exp(n * log(a)).

Negative numbers and 0 have no logarithm, but (-3)**2 is 9. Python's own `**` handles all of these:
`self.data ** exponent`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        import math

        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(math.exp(exponent * math.log(self.data)), (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
