"""Every path has its own visited set.

`visited | {node}` makes a copy that the other paths never see, so a shared node is listed once for
each path. Use one set for the whole walk.
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
