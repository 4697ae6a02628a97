"""The result's gradient is set only if it is 0.

An old gradient, from an earlier backward pass perhaps, stays and multiplies everything. Set it to 1.0 without asking.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        if self.grad == 0.0:
            self.grad = 1.0
        for node in reversed(topo):
            node._backward()
