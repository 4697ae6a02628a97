"""The derivative of exp uses x instead of e**x.

The exponential is its own derivative, and `out.data` holds it. `self.data` is the number before
exp.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += self.data * out.grad

        out._backward = _backward
        return out
