"""Each node runs once, when the walk first reaches it.

A shared node is reached along one path while shares from the others are still to come, and those
arrive too late to be passed on. Follow `build_topo()`: there a node waits for every node that uses
it.
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
