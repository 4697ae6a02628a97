"""`zero_grad` empties `_prev` along with the gradients.

The result no longer knows what it was made of, and the next `backward()` stops where it starts. Set
only `grad`: the graph is still needed.
"""

CAUGHT_BY = ("phase5.begin-anew",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
            node._prev = set()
