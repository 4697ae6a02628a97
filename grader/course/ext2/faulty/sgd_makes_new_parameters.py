"""`step()` replaces the Values in the list with new ones.

The model still holds the old ones and never learns. Change `p.data` of the Values you were given.
"""

CAUGHT_BY = ("ext2.sgd",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + p.grad
            self.parameters[i] = type(p)(p.data - self.lr * self.v[i])
