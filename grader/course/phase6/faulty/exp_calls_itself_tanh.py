"""exp is a copy of tanh, and still says so in `_op`.

All its numbers are right. A picture of the graph, which takes its words from `_op`, shows another calculation than was done. After
copying a method look at each of its lines.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "tanh")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
