"""A node is listed as soon as it is taken off the stack.

The recursive version appends a node when all its operands are done, but this one appends it first.
Push the node a second time, before its operands, and append it when it comes off again.
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
