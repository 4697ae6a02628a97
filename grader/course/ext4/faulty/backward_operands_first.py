"""`backward()` goes through the list from the operands to the result.

Then the gradients to pass on are still zeros. Start with the result: `reversed(topo)`.
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
