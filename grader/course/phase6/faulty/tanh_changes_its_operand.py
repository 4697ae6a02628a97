"""tanh writes its result into the operand as well.

`self.data` is an input, which other operations use too: from now on they see another number. Give the result a variable of its own.
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
