"""The result itself is not on the list.

If the walk starts at the operands of `self`, the result's own `_backward()`, which should run
first, never runs. Start with `visit(self)`.
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

        for child in self._prev:
            visit(child)
        return topo
