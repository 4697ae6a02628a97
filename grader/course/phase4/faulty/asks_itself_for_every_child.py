"""`build_topo()` loops over `self._prev` instead of `node._prev`.

Inside `visit`, `self` is still the result that `build_topo()` was called on, so the walk never gets
below its operands. Each visit must go on to the children of its own node.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in self._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo
