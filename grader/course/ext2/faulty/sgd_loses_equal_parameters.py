"""SGD keeps its parameters by their numbers.

Two parameters may hold the same number. Keep the list as it is.
"""

CAUGHT_BY = ("ext2.sgd",)


class SGD:
    def __init__(self, parameters, lr, momentum=0.0):
        self.parameters = list({p.data: p for p in parameters}.values())
        self.lr = lr
        self.momentum = momentum
        self.v = [0.0 for _ in self.parameters]
