"""`backward()` sets all gradients to zero first.

The gradients of two results over the same leaves have to add up. Clearing is for the caller to
decide.
"""

CAUGHT_BY = ("ext4.backward",)


class Tensor:
    def backward(self):
        topo, visited = [], set()

        def build_topo(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    build_topo(child)
                topo.append(node)

        build_topo(self)
        for node in topo:
            node.grad = np.zeros_like(node.data)
        self.grad = np.ones_like(self.data)
        for node in reversed(topo):
            node._backward()
