"""`math.exp(self)` gets a Value, and `math.exp` needs a number.

The functions of `math` know nothing of Values and raise a TypeError. Give them the number inside:
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
