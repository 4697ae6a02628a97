"""All optimizers share their velocities.

A default argument, or anything in the class body, exists only once for all optimizers. Make the
list in `__init__`.
"""

CAUGHT_BY = ("ext2.momentum", "ext2.sgd-apart")


class SGD:
    def __init__(self, parameters, lr, momentum=0.0, v={}):
        self.parameters = parameters
        self.lr = lr
        self.momentum = momentum
        self.v = v

    def step(self):
        for i, p in enumerate(self.parameters):
            self.v[i] = self.momentum * self.v.get(i, 0.0) + p.grad
            p.data -= self.lr * self.v[i]
