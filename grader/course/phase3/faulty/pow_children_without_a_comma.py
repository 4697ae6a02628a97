"""The children of a power are `(self)` instead of `(self,)`.

Parentheses alone do not make a tuple, so the constructor loops over a single Value and raises a
TypeError. The comma makes the tuple.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
