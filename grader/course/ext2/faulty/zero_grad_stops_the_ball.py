"""`zero_grad()` sets the velocities to 0 as well.

It is called in every step, so nothing would ever gather speed. Clear only the gradients.
"""

CAUGHT_BY = ("ext2.sgd-zero-grad",)


class SGD:
    def zero_grad(self):
        self.v = [0.0 for _ in self.parameters]
        for p in self.parameters:
            p.grad = 0.0
