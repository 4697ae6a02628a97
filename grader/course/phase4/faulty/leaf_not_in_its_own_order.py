"""`build_topo()` returns an empty list for a leaf.

A leaf has no operands to list, but it is in its own graph. Append the node itself after its
operands, however many there are.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    visit(child)
                topo.append(node)

        if self._prev:
            visit(self)
        return topo
