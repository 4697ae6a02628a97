"""`backward()` adds ones to the result's gradient instead of setting it.

d(result)/d(result) is 1, whatever was there before. This is the one gradient that `backward()`
sets.
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
