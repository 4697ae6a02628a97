"""Breadth first: by the distance from the result.

A node may be near to the result on one way and far on another. It has to wait for the longest one, and the queue
takes it at the shortest. Depth first, with the append after the operands, gets it right.
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
