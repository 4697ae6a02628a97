"""SGD takes a momentum and never uses it.

`v = momentum * v + grad`, and the parameter moves by the velocity, not by the gradient.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            p.data -= self.lr * p.grad
