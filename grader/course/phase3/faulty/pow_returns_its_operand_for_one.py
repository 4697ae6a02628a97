"""`a ** 1` is `a` itself and not a new Value.

The number is right, but the power has no node: what is done to the result is done to `a`. Every
operation makes a new Value, even if the number stays the same.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError(f"the exponent must be a number, not {exponent!r}")
        if exponent == 1:
            return self
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
