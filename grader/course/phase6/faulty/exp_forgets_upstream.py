"""The backward step of exp does not multiply by `out.grad`.

It sends only its own derivative, as if the exponential were the final result. The chain rule needs
both: the local derivative times the gradient that arrived.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data

        out._backward = _backward
        return out
