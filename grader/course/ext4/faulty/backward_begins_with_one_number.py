"""`backward()` starts with a single 1 instead of an array of ones.

The gradient of the result has the shape of the result, as every gradient does:
`np.ones_like(self.data)`.
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
        self.grad = np.array(1.0)
        for node in reversed(topo):
            node._backward()
