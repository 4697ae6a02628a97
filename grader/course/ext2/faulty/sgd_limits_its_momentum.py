"""SGD limits the momentum to 0.9.

The caller chooses the momentum. Use it as it is.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = min(self.momentum, 0.9) * self.v[i] + p.grad
            p.data -= self.lr * self.v[i]
