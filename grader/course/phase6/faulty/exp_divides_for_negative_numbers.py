"""exp of a negative number divides by exp of its opposite.

e**-1000 is nearly 0, but `1 / math.exp(1000)` raises OverflowError. `math.exp` takes every negative
number.
"""

CAUGHT_BY = ("phase6.exp",)


class Value:
    def exp(self):
        number = 1 / math.exp(-self.data) if self.data < 0 else math.exp(self.data)
        out = Value(number, (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
