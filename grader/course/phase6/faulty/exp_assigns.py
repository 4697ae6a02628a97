"""The backward step of exp uses `=` instead of `+=`.

The operand may be used elsewhere too, and `=` overwrites the share that came from there. Write
`self.grad += out.data * out.grad`.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad = out.data * out.grad

        out._backward = _backward
        return out
