"""`relu` passes no gradient on if `a` is above 10.

Only negative numbers stop the gradient. For every positive number the derivative is 1.
"""

CAUGHT_BY = ("phase6.relu-backward",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += (0 < self.data < 10) * out.grad

        out._backward = _backward
        return out
