"""`node._backward` without parentheses.

The name alone mentions the function and does not run it. `node._backward()` does.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward
