"""Leaves are not put on the list.

It does no harm to the gradients, as a leaf passes nothing on. But the list is to hold *every* Value that the result
was made of, and who clears gradients with it would miss the leaves.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited and node._prev:
                visited.add(node)
                for child in node._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo
