"""The derivative of tanh squares `out.grad` instead of `out.data`.

The derivative is 1 - tanh(x)**2, and tanh(x) is the number of the result: `1 - out.data**2`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.grad**2) * out.grad

        out._backward = _backward
        return out
