"""The backward pass runs from the operands to the result.

If the leaves come first, they have no gradient to pass on yet. That order is right for computing
values; for gradients go through it backwards: `reversed(topo)`.
"""

CAUGHT_BY = ("phase4.first-graph",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in topo:
            node._backward()
