"""exp sets its operand's gradient to 0 before it begins.

The forward pass has no business with gradients: what the operand has gathered so far, from another graph over the same Value, is lost. The
constructor has given every new Value its 0.0.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def exp(self):
        self.grad = 0.0
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
