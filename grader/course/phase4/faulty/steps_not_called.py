"""`backward()` never calls the steps of the nodes.

`node._backward` without parentheses only names the function. `node._backward()` runs it.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward
