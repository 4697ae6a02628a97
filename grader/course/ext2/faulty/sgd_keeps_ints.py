"""SGD turns a parameter that was an int back into an int.

A step moves it by a fraction. Let `data` become a float.
"""

CAUGHT_BY = ("ext2.sgd",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + p.grad
            p.data = type(p.data)(p.data - self.lr * self.v[i])
