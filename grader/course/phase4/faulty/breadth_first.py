"""The nodes are ordered by their distance from the result, breadth first.

A node may be close to the result along one path and far along another. It has to wait for the
longest path, but a queue takes it at the shortest. Depth first, with the append after the operands,
gets it right.
"""

CAUGHT_BY = ("phase4.order", "phase4.unequal-paths")


class Value:
    def build_topo(self):
        topo, visited, queue = [], {self}, [self]
        while queue:
            node = queue.pop(0)
            topo.append(node)
            for child in node._prev:
                if child not in visited:
                    visited.add(child)
                    queue.append(child)
        return topo[::-1]
