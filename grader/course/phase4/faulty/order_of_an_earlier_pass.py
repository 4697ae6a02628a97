"""`backward()` keeps the order of an earlier pass.

`s.backward()` after `f.backward()` begins at `f` again if `s` is in the order of `f`. Build the order
anew in each call.
"""

CAUGHT_BY = ("phase4.two-results",)


class Value:
    def backward(self):
        if self not in getattr(Value, "order", ()):
            Value.order = self.build_topo()
        self.grad = 1.0
        for node in reversed(Value.order):
            node._backward()
