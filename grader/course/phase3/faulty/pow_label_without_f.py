"""The label of a power has the name of the exponent instead of its number.

Only a text with an `f` in front fills in what stands in braces: `f"**{exponent}"`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        out = Value(self.data**exponent, (self,), "**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
