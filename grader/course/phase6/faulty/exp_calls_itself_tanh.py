"""The `_op` of exp is still "tanh".

All its numbers are right, but a picture of the graph shows the wrong operation. After copying a
method, check each of its lines.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "tanh")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
