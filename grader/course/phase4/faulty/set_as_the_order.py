"""The visited set itself serves as the order.

A set has no order you can rely on. Keep a list as well: the set answers "have I been here?", and
the list remembers when.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        visited = set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    visit(child)

        visit(self)
        return list(visited)
