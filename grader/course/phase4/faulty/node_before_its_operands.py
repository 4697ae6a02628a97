"""A node is added to the list before its operands.

The list then starts with the result, but a shared operand may come before one of the results that
use it, and reversing the list does not fix that. Append after the loop over `_prev`, not before.
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
