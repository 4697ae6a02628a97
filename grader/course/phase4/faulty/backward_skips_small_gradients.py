"""`backward()` skips nodes whose gradient is nearly 0.

A small gradient may be multiplied by a large number further down. Run `_backward()` on every node.
"""

CAUGHT_BY = ("phase4.every-operator",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            if abs(node.grad) > 1e-6:
                node._backward()
