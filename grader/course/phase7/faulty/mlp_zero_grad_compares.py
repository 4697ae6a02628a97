"""`zero_grad` has `p.grad == 0.0`, which compares and changes nothing.

Two equals signs ask a question, and one sets a value. Write `p.grad = 0.0`.
"""

CAUGHT_BY = ("phase7.zero-grad",)


class MLP:
    def zero_grad(self):
        for p in self.parameters():
            p.grad == 0.0
