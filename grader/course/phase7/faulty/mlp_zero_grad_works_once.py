"""`zero_grad()` clears the gradients the first time only.

Every training step needs gradients that start at 0.0, so remember nothing from one call to the
next.
"""

CAUGHT_BY = ("phase7.zero-grad",)


class MLP:
    def zero_grad(self):
        if not hasattr(self, "is_clear"):
            self.is_clear = True
            for p in self.parameters():
                p.grad = 0.0
