"""`backward()` sets all gradients to 0 first.

That is convenient for one result, but with two results over the same leaves the second wipes out
what the first added. Add to what is there; clearing is a separate decision.
"""

CAUGHT_BY = ("phase4.two-results",)


class Value:
    def backward(self):
        topo = self.build_topo()
        for node in topo:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
