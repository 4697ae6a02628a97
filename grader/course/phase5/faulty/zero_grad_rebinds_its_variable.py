"""`zero_grad` gives the loop variable a new Value and leaves the nodes alone.

`node = Value(node.data)` only changes what the name `node` stands for. The node in the graph keeps
its gradient. Write `node.grad = 0.0`.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node = Value(node.data)
