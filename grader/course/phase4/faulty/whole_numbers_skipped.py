"""`backward()` gives a leaf no gradient if its number is an int.

The int 2 in `Value(2)` is a number like any other, and the result changes with it. Let every node
of the graph keep its gradient. The constants get one too, and nobody has to read it.
"""

CAUGHT_BY = ("phase4.first-graph",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
            if not node._prev and isinstance(node.data, int):
                node.grad = 0.0
