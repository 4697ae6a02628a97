"""The node is put on the list before its operands.

The list is then results first, but a shared operand may land before one of the results that use it. Append after the
loop over `_prev`, not before.
"""

CAUGHT_BY = ("phase4.order", "phase4.unequal-paths")


class Value:
    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                topo.append(node)
                for child in node._prev:
                    visit(child)

        visit(self)
        return topo[::-1]
