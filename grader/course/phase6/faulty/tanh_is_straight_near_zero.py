"""Near 0, `tanh` returns its operand.

tanh(x) is close to x there, but not equal: tanh(0.04) is 0.03998. Use `math.tanh` for every
number.
"""

CAUGHT_BY = ("phase6.tanh",)


class Value:
    def tanh(self):
        number = self.data if abs(self.data) < 0.05 else math.tanh(self.data)
        out = Value(number, (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out
