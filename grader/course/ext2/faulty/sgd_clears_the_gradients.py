"""`step()` sets the gradients to 0 when it is done.

`step()` cannot know whether a gradient is still needed. Leave clearing to `zero_grad()`.
"""

CAUGHT_BY = ("ext2.sgd",)


class SGD:
    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v[i] + p.grad
            p.data -= self.lr * self.v[i]
            p.grad = 0.0
