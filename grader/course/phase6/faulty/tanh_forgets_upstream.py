"""The backward step of tanh does not multiply by `out.grad`.

It sends only its own derivative, as if tanh were the final result. The chain rule needs both: `(1 -
out.data**2) * out.grad`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += 1 - out.data**2

        out._backward = _backward
        return out
