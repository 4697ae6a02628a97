"""The derivative of a power is n * a**n: the exponent is not lowered.

The derivative of a**n is n * a**(n-1). In Python the n - 1 needs parentheses: `self.data **
(exponent - 1)`.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data**exponent * out.grad

        out._backward = _backward
        return out
