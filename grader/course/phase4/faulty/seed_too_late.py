"""The result's gradient is set after the steps have run.

By then they have passed on 0.0. Set `self.grad = 1.0` before the loop.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        for node in reversed(self.build_topo()):
            node._backward()
        self.grad = 1.0
