"""The result's gradient is set to its own number.

If the result is nudged by 1, it moves by 1, whatever its number is. So the pass starts with
`self.grad = 1.0`, not with `self.data`.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        self.grad = self.data
        for node in reversed(self.build_topo()):
            node._backward()
