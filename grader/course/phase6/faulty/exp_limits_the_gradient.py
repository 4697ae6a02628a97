"""The gradient of `exp` is at most 100 times the one that arrives.

A limit gives a wrong number that nobody notices. The derivative of exp(a) is exp(a), however large
it is.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += min(out.data, 100.0) * out.grad

        out._backward = _backward
        return out
