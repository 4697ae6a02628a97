"""`zero_grad` takes the graph apart: it empties `_prev` along with the gradients.

The result no longer knows what it was made of, and the next `backward()` ends where it begins. Set `grad` alone; the
graph is needed again.
"""

CAUGHT_BY = ("phase5.begin-anew",)


class Value:
    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
            node._prev = set()
