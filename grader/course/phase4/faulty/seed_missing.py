"""The result's gradient is never set to 1.

Every share is a multiple of the result's gradient, so if that is 0.0, they are all 0.
d(result)/d(result) is 1: set `self.grad = 1.0` first.
"""

CAUGHT_BY = ("phase4.seed", "phase4.first-graph")


class Value:
    def backward(self):
        for node in reversed(self.build_topo()):
            node._backward()
