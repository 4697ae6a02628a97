"""tanh writes its result into the operand as well.

`self.data` is an input that other operations use too, and from now on they see a different number.
Store the result in its own variable.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def tanh(self):
        self.data = math.tanh(self.data)
        out = Value(self.data, (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out
