"""The nodes are sorted by their numbers.

A larger number does not mean that a node is nearer to the result. The order comes from the graph:
follow `_prev`.
"""

CAUGHT_BY = ("phase4.order",)


class Value:
    def build_topo(self):
        found, todo = [], [self]
        while todo:
            node = todo.pop()
            if node not in found:
                found.append(node)
                todo.extend(node._prev)
        return sorted(found, key=lambda node: node.data)
