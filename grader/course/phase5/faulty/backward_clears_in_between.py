"""`backward` clears the results in between before it begins.

It makes a second pass look tidy, but gradients are to be added up until somebody asks for `zero_grad()`, in every node
alike. Set `self.grad` to 1.0 and leave all others as they are.
"""

CAUGHT_BY = ("phase5.second-backward",)


class Value:
    def backward(self):
        topo = self.build_topo()
        for node in topo:
            if node._prev:
                node.grad = 0.0
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
