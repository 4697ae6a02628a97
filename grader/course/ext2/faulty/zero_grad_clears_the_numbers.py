"""`zero_grad()` sets `data` to 0 as well.

The numbers are what training has learnt. Set only `grad` to 0.
"""

CAUGHT_BY = ("ext2.sgd-zero-grad",)


class SGD:
    def zero_grad(self):
        for p in self.parameters:
            p.grad = 0.0
            p.data = 0.0
