"""The derivative of a power is estimated with a small step.

(f(x+h) - f(x)) / h is close to the slope but not equal to it, and the error adds up from node to
node. Here the exact formula is short: n * a**(n-1).
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            h = 1e-4
            self.grad += ((self.data + h) ** exponent - self.data**exponent) / h * out.grad

        out._backward = _backward
        return out
