"""`zero_grad()` clears only gradients greater than 0.

A gradient of -2.0 is as old as one of 2.0. Set all of them to 0.0.
"""

CAUGHT_BY = ("phase7.zero-grad",)


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            if p.grad > 0:
                p.grad = 0.0
