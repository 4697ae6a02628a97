"""A node's gradient is set to 0 once it has been passed on.

The gradients are what you came for, including those of intermediate results. Passing on means
copying: leave them alone.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
            if node._prev:
                node.grad = 0.0
