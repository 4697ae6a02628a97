"""A base of 0 gets no gradient.

Skipping it avoids a division by zero, but the slope of a**1 at 0 is 1. `exponent * self.data **
(exponent - 1)` is right without a special case.
"""

CAUGHT_BY = ("phase3.power-of-zero",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            if self.data != 0:
                self.grad += exponent * out.data / self.data * out.grad

        out._backward = _backward
        return out
