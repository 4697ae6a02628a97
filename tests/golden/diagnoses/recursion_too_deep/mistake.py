"""phase4.very-deep engine: recursion; a bonus checkpoint"""


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
