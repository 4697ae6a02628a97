"""The result's gradient is increased by 1 instead of set to 1.

d(result)/d(result) is 1, whatever was there before. This one gradient is set, not added to:
`self.grad = 1.0`.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad += 1.0
        for node in reversed(topo):
            node._backward()
