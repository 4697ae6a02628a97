"""The derivative of tanh is 1 - tanh instead of 1 - tanh**2.

For a negative operand that is larger than 1, but the curve is never steeper than 1. The local
derivative is `1 - out.data**2`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data) * out.grad

        out._backward = _backward
        return out
