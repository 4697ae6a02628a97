"""The velocity is an average: (1 - momentum) times the gradient.

That is a rule, too, but not this one: here the gradient comes in full, and ten times as much can add up.
"""

CAUGHT_BY = ("ext2.momentum",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + (1 - self.momentum) * p.grad
            p.data -= self.lr * self.v[i]
