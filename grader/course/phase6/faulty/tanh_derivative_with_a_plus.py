"""The derivative of tanh is 1 + tanh**2 instead of 1 - tanh**2.

With a plus it is never below 1, but the curve is flat far from 0. The local derivative is `1 -
out.data**2`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 + out.data**2) * out.grad

        out._backward = _backward
        return out
