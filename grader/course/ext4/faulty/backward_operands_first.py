"""`backward()` goes through the list from the operands up.

At that time the gradients that should be passed on are still zeros. Results first: `reversed(topo)`.
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
        self.grad = np.ones_like(self.data)
        for node in topo:
            node._backward()
