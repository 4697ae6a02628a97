"""The backward step of tanh multiplies by `out.grad` twice.

The chain rule needs the local derivative and the arriving gradient, once each: `(1 - out.data**2) *
out.grad`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad * out.grad

        out._backward = _backward
        return out
