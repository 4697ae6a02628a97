"""A visited node is not remembered on the other paths.

A shared node is then listed once for each path. Keep one set for the whole walk, and add every node
to it: `visited | {node}` makes a copy instead.
"""

CAUGHT_BY = ("phase4.order", "phase4.reused-intermediate")


class Value:
    def build_topo(self):
        topo = []

        def visit(node, visited):
            if node not in visited:
                for child in node._prev:
                    visit(child, visited | {node})
                topo.append(node)

        visit(self, set())
        return topo
