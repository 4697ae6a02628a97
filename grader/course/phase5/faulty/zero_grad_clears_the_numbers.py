"""`zero_grad` sets `data` to 0 instead of `grad`.

The numbers of the graph are lost and the gradients stay. Write `node.grad = 0.0`.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.data = 0.0
