"""All parameters share one velocity.

Each parameter moves at its own speed. Keep a list of velocities, as long as the list of parameters.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[0] = self.momentum * self.v[0] + p.grad
            p.data -= self.lr * self.v[0]
