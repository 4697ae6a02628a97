"""The backward pass runs from the operands to the result.

Nothing has a gradient to pass on yet when the leaves come first. The order is right for computing; for gradients go
through it backwards: `reversed(topo)`.
"""

CAUGHT_BY = ("phase4.first-graph",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in topo:
            node._backward()
