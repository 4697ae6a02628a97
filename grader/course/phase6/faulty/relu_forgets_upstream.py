"""The backward step of relu does not multiply by `out.grad`.

It sends 1 or 0, whatever arrived. The chain rule needs both: `(self.data > 0) * out.grad`.
"""

CAUGHT_BY = ("phase6.relu-backward",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += 1.0 if self.data > 0 else 0.0

        out._backward = _backward
        return out
