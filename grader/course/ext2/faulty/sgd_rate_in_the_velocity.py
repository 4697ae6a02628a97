"""The velocity holds lr times the gradient.

As long as lr stays the same, nobody notices. But when it falls, old gradients still count with the
old rate: multiply by lr when the parameter moves.
"""

CAUGHT_BY = ("ext2.sgd-rate",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + self.lr * p.grad
            p.data -= self.v[i]
