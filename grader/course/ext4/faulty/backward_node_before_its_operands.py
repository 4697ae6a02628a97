"""`backward()` runs the nodes in the order in which it finds them.

A node that is used in two places is found through the first, and passes on what it has before the
second share arrives. Put a node into the list after its operands, and walk the list backwards.
"""

CAUGHT_BY = ("ext4.used-again",)


class Tensor:
    def backward(self):
        topo, visited = [], set()

        def build_topo(node):
            if node not in visited:
                visited.add(node)
                topo.insert(0, node)
                for child in node._prev:
                    build_topo(child)

        build_topo(self)
        self.grad = np.ones_like(self.data)
        for node in reversed(topo):
            node._backward()
