"""exp sets its operand's gradient to 0.

The forward pass must not touch gradients. The operand may have some from another graph, which are
then lost. Every new Value starts at 0.0 anyway.
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
