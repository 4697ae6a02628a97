"""A queue that takes a shared node once for each use.

Each time it runs, the node passes on all that it has collected so far, and the first part of it twice. Make the order
first, with every node in it once.
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
