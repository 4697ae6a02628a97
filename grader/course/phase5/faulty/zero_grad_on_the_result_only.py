"""`zero_grad` clears the gradient of the result alone.

The values that the result was made of hold gradients too, and the next backward pass adds to those. Go through
`self.build_topo()`, which has every one of them.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        self.grad = 0.0
