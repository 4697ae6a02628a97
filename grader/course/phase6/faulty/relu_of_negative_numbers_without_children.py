"""relu of a negative number forgets its operand.

Its gradient is 0, but it is still a part of the graph: `zero_grad()` and pictures would miss it.
Give the result its operand, `(self,)`, in both cases.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def relu(self):
        if self.data < 0:
            return Value(0.0, (), "relu")
        out = Value(self.data, (self,), "relu")

        def _backward():
            self.grad += (self.data > 0) * out.grad

        out._backward = _backward
        return out
