"""`zero_grad` clears only the gradient of the result.

The values that the result was made of have gradients too, and the next backward pass adds to them.
Go through `self.build_topo()`, which lists them all.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        self.grad = 0.0
