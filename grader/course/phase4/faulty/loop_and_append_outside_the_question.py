"""The visited set is filled, but the loop and the append are outside the `if`.

Every visit then still goes on to the operands and appends the node, as if there were no set. Indent
both, so that nothing happens on a second visit.
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
