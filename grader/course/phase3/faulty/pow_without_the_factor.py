"""The derivative of a power is a**(n-1): the factor n is missing.

The derivative of a**n is n * a**(n-1). It needs both the lowered exponent and the factor in front.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
