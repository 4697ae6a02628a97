"""`zero_grad` follows every path, so it clears a shared node again and again.

The gradients do become 0, but a chain of 25 doublings has 2**25 paths, and each is walked.
`build_topo()` visits a node once, however many paths lead to it.
"""

CAUGHT_BY = ("phase5.zero-grad-once",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def zero_grad(self):
        self.grad = 0.0
        for child in self._prev:
            child.zero_grad()
