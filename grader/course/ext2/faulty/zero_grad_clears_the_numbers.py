"""`zero_grad()` sets `data` to 0.

The numbers are what has been learnt. It is `grad` that has to go.
"""

CAUGHT_BY = ("ext2.sgd-zero-grad",)


class SGD:
    def zero_grad(self):
        for p in self.parameters:
            p.grad = 0.0
            p.data = 0.0
