"""The backward step of relu multiplies by the result instead of by 1.

Where the operand is positive, relu is the line y = x, and its slope is 1 everywhere. Write
`(out.data > 0) * out.grad`.
"""

CAUGHT_BY = ("phase6.relu-backward",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
