"""Visited nodes are remembered by their numbers.

Two nodes may both hold 2.0, and the second is mistaken for the first. Put the node itself into the
set.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node.data not in visited:
                visited.add(node.data)
                for child in node._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo
