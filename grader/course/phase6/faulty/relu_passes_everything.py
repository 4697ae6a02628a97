"""relu passes the gradient on even when its result is 0.

Below 0 the curve is flat: nudge the operand and the result stays 0, so nothing may pass. Multiply
the gradient by 1 if the operand is positive and by 0 otherwise.
"""

CAUGHT_BY = ("phase6.relu-backward",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += out.grad

        out._backward = _backward
        return out
