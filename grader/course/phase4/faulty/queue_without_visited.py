"""The queue takes a shared node once for each use.

Each time the node runs, it passes on everything it has collected, so its first share goes out
twice. Put the nodes in order first, each of them once.
"""

CAUGHT_BY = ("phase4.reused-intermediate",)


class Value:
    def backward(self):
        self.grad = 1.0
        queue = [self]
        while queue:
            node = queue.pop(0)
            node._backward()
            queue.extend(node._prev)
