"""The stack checks for visited nodes only before it pushes, so a node can be on it twice.

Two results can push the same operand before it comes off the stack for the first time. Check again
when a node comes off, and skip it if it was visited.
"""

CAUGHT_BY = ("phase4.order", "phase4.reused-intermediate")


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def build_topo(self):
        topo, visited, stack = [], set(), [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                topo.append(node)
            else:
                visited.add(node)
                stack.append((node, True))
                for child in node._prev:
                    if child not in visited:
                        stack.append((child, False))
        return topo
