"""SGD keeps the velocity on the parameter.

A new optimizer for the same parameters then goes on with the velocity of an earlier one. Keep it in
the optimizer.
"""

CAUGHT_BY = ("ext2.sgd-apart",)


class SGD:
    def step(self):
        for p in self.parameters:
            p.velocity = self.momentum * getattr(p, "velocity", 0.0) + p.grad
            p.data -= self.lr * p.velocity
