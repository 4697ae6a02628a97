"""`build_topo()` counts `s * s` as one use of `s`, and takes two away.

A node is complete when every node that uses it has run. Here the count is 0 too early if `s` is
also used elsewhere, on a longer path. Loop over the same operands both times.
"""

CAUGHT_BY = ("phase4.order", "phase4.same-node-twice")


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def build_topo(self):
        uses, found = {self: 0}, [self]
        for node in found:
            for child in set(node._prev):
                if child not in uses:
                    found.append(child)
                uses[child] = uses.get(child, 0) + 1
        ready = [self]
        for node in ready:
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)
        return ready[::-1]
