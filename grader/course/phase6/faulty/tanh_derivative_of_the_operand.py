"""The derivative of tanh uses x instead of tanh(x).

In 1 - tanh(x)**2 the result is squared. `out.data` holds it; `self.data` is the number before tanh.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - self.data**2) * out.grad

        out._backward = _backward
        return out
