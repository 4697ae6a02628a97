"""`build_topo()` yields the nodes.

A generator can be used only once and has no length. Return a list.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        visited = set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    yield from visit(child)
                yield node

        return visit(self)

    def backward(self):
        self.grad = 1.0
        for node in reversed(list(self.build_topo())):
            node._backward()
