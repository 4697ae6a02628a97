"""`_op` of a power is "*".

The line was copied from `__mul__`. Nothing computes with `_op`, but every picture of the graph shows
it. Write `f"**{exponent}"`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        out = Value(self.data**exponent, (self,), "*")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
