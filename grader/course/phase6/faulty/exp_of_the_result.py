"""The derivative of exp takes the exponential of the result.

`out.data` is e**x already, and `math.exp(out.data)` is e to the power of that. The local derivative
is `out.data`.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += math.exp(out.data) * out.grad

        out._backward = _backward
        return out
