"""Each node runs once, when the walk first comes to it.

A shared node is reached on one way while shares from the other are still to come, and they arrive too late to be
passed on. Go by `build_topo()`: it lets a node wait for all that use it.
"""

CAUGHT_BY = ("phase4.reused-intermediate",)


class Value:
    def backward(self):
        visited = set()
        self.grad = 1.0

        def send(node):
            if node not in visited:
                visited.add(node)
                node._backward()
                for child in node._prev:
                    send(child)

        send(self)
