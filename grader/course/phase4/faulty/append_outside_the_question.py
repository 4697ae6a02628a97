"""A node is added to the list even if it was visited before.

If `topo.append(node)` is outside the `if`, a shared node is listed once for each use. Indent it:
the visit and the append both belong inside.
"""

CAUGHT_BY = ("phase4.order", "phase4.reused-intermediate")


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
        return topo
