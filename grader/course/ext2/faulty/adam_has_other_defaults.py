"""Adam has a default rate of 0.01.

The stub says `lr=0.001`.
"""

CAUGHT_BY = ("ext2.adam-eps",)


class Adam:
    def __init__(self, parameters, lr=0.01, beta1=0.9, beta2=0.999, eps=1e-8):
        self.parameters = parameters
        self.lr, self.beta1, self.beta2, self.eps = lr, beta1, beta2, eps
        self.m = [0.0 for _ in parameters]
        self.v = [0.0 for _ in parameters]
        self.t = 0
