"""A stack that lists a node as soon as it is taken off.

The recursive version appends a node when all its operands are done; this one does it at the start. Push the node a
second time, as a sign that its operands are finished, and append it then.
"""

CAUGHT_BY = ("phase4.order", "phase4.unequal-paths")


class Value:
    def build_topo(self):
        topo, visited, stack = [], set(), [self]
        while stack:
            node = stack.pop()
            if node not in visited:
                visited.add(node)
                topo.append(node)
                stack.extend(node._prev)
        topo.reverse()
        return topo
