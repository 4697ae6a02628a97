"""`zero_grad` sets `data` to 0 instead of `grad`.

The network forgets everything it has learnt, and the old gradients stay. Set only `p.grad` to 0.0;
the numbers are what it learns.
"""

CAUGHT_BY = ("phase7.zero-grad",)


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            p.data = 0.0
