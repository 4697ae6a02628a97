"""`zero_grad` sets the gradients to None.

None is not a number, and nothing can be added to it: the next `+=` in a backward step raises a
TypeError. Set the gradients to 0.0.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.grad = None
