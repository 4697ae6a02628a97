"""The velocity adds only (1 - momentum) times the gradient.

That is a rule too, but not this one. Here the gradient counts in full, so with a momentum of 0.9
the velocity can grow to ten times the gradient.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + (1 - self.momentum) * p.grad
            p.data -= self.lr * self.v[i]
