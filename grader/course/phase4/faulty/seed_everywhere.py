"""Every node starts with a gradient of 1.

Only the result depends on itself with a slope of 1. The others add up shares, and the extra 1 comes
on top of them.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        for node in topo:
            node.grad = 1.0
        for node in reversed(topo):
            node._backward()
