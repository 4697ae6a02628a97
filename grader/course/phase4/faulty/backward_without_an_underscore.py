"""`backward()` calls `node.backward()` instead of `node._backward()`.

Without the underscore, `backward()` calls itself forever. The step of a single node is
`_backward`.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node.backward()
