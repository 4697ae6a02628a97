"""Visited nodes are not remembered.

A node that two others use is listed twice and passes its gradient on twice. Keep the visited nodes
in a set, and check it first.
"""

CAUGHT_BY = ("phase4.order", "phase4.reused-intermediate")


class Value:
    def build_topo(self):
        topo = []

        def visit(node):
            for child in node._prev:
                visit(child)
            topo.append(node)

        visit(self)
        return topo
