"""`zero_grad` clears the leaves but not the intermediate results.

An intermediate result keeps its old gradient, and the next backward pass sends it on again. Clear
every node of `self.build_topo()`, whether it has children or not.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            if not node._prev:
                node.grad = 0.0
