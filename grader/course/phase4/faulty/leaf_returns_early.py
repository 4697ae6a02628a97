"""`backward()` does nothing on a leaf.

A leaf depends on itself, as every Value does: its gradient is 1 after `a.backward()`. Set it before
you look at the children.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        if not self._prev:
            return
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
