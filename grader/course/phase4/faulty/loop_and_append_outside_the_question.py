"""The visited set is filled, but the loop and the append are outside the `if`.

Then every visit still goes on to the operands and adds to the list, as if there were no set. Indent
all of it: nothing happens for a node that was visited before.
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
