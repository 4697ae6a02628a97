"""`backward()` adds ones to what the result holds.

d(result)/d(result) is 1, whatever was there before. This is the one place that sets a gradient.
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
        self.grad = self.grad + np.ones_like(self.data)
        for node in reversed(topo):
            node._backward()
