"""`zero_grad` stops at a gradient that is already 0.

That seems to save work, but nodes below may still have a gradient, such as a leaf that was used
elsewhere too. Go through all of `self.build_topo()`.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        if self.grad == 0.0:
            return
        self.grad = 0.0
        for child in self._prev:
            child.zero_grad()
