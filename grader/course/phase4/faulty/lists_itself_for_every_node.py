"""`build_topo()` appends `self` instead of the node it visits.

Inside `visit`, `self` is still the result that `build_topo()` was called on, so the list holds the
result again and again. Append `node`.
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
                topo.append(self)

        visit(self)
        return topo
