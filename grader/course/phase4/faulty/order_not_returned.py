"""`build_topo()` returns nothing.

The list is complete, but it is lost at the end of the function. Write `return topo` after
`visit(self)`.
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

        visit(self)
