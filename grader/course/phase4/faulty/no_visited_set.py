"""No memory of the nodes that were visited.

A node that two others use is put on the list twice, and passes its gradient on twice. Remember in a set where you
have been, and ask it first.
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
