"""`zero_grad` clears the result and its operands, but nothing below them.

`_prev` holds only the values that this one was made from directly. The whole graph is in
`self.build_topo()`.
"""

CAUGHT_BY = ("phase5.zero-grad",)


class Value:
    def zero_grad(self):
        self.grad = 0.0
        for child in self._prev:
            child.grad = 0.0
