"""The result's gradient is set only if it is 0.

An old gradient, perhaps from an earlier backward pass, stays and multiplies everything. Always set
it to 1.0.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        if self.grad == 0.0:
            self.grad = 1.0
        for node in reversed(topo):
            node._backward()
