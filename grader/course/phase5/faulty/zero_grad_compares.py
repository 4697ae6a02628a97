"""`zero_grad` has `node.grad == 0.0`, which compares and changes nothing.

Two equals signs ask a question, and one sets a value. Write `node.grad = 0.0`.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.grad == 0.0
