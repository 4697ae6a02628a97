"""`child.backward()` on every child.

Each call sets its own node's gradient to 1.0 and throws away what came from above. 1.0 is for the result alone; for
all others run `_backward()`.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        self.grad = 1.0
        self._backward()
        for child in self._prev:
            child.backward()
