"""The derivative of a power is computed as n * out / a.

That is the same number except at `a` = 0, where it divides by zero. `exponent * self.data **
(exponent - 1)` does not.
"""

CAUGHT_BY = ("phase3.power-of-zero",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * out.data / self.data * out.grad

        out._backward = _backward
        return out
