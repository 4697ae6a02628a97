"""SGD ignores its momentum.

The velocity is `v = momentum * v + grad`, and the parameter moves by the velocity, not by the
gradient.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            p.data -= self.lr * p.grad
