"""`tanh` computes the sigmoid, 1 / (1 + e**-x).

The two have the same shape, but the sigmoid runs from 0 to 1 and tanh from -1 to 1. Use
`math.tanh`.
"""

CAUGHT_BY = ("phase6.tanh",)


class Value:
    def tanh(self):
        out = Value(1 / (1 + math.exp(-self.data)), (self,), "tanh")

        def _backward():
            self.grad += out.data * (1 - out.data) * out.grad

        out._backward = _backward
        return out
