"""SGD moves up the gradient.

The gradient points to where the loss grows, so the step goes the other way: `-=`.
"""

CAUGHT_BY = ("ext2.sgd",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + p.grad
            p.data += self.lr * self.v[i]
