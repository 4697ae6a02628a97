"""`math.exp(self)` passes a Value to `math.exp`, which needs a number.

The functions in `math` raise a TypeError for a Value. Pass the number inside it:
`math.exp(self.data)`.
"""

CAUGHT_BY = ("phase6.exp",)


class Value:
    def exp(self):
        out = Value(math.exp(self), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
