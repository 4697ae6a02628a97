"""`a ** 1` is `a` itself.

The power has the same number, but it is a new node with its own gradient, and its name is "**1".
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        if exponent == 1:
            return self
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
