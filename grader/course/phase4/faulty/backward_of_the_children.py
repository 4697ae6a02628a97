"""`backward()` is called on every child, which sets the child's gradient to 1.0.

Each of these calls throws away what came from above. 1.0 is for the result alone; for every other
node run `_backward()`.
"""

CAUGHT_BY = ("phase4.seed",)


class Value:
    def backward(self):
        self.grad = 1.0
        self._backward()
        for child in self._prev:
            child.backward()
