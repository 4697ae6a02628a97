"""`zero_grad` sets the gradients to None.

None means "no number", and nothing can be added to it: the next `+=` in a backward step ends in a TypeError. A gradient
to which nothing has been added yet is 0.0.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.grad = None
