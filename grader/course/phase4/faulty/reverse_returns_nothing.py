"""The loop runs over `topo.reverse()`, which is None.

`list.reverse()` reverses the list in place and returns None. `reversed(topo)` gives you something
to loop over.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in topo.reverse():
            node._backward()
