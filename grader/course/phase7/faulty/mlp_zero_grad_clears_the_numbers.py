"""`zero_grad` sets `data` to 0 in place of `grad`.

The network forgets all that it has learnt, and the old gradients stay. Only `p.grad` becomes 0.0; the numbers are what
training is for.
"""

CAUGHT_BY = ("phase7.zero-grad",)


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            p.data = 0.0
