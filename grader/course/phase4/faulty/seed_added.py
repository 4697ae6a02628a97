"""`self.grad += 1.0`.

d(result)/d(result) is 1, whatever stood there before. It is the one gradient that is set, not added to.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad += 1.0
        for node in reversed(topo):
            node._backward()
