"""The backward step of tanh uses `=` instead of `+=`.

The operand may be used elsewhere too, and `=` overwrites the share that came from there. An
activation adds to `self.grad`, as `+` and `*` do.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad = (1 - out.data**2) * out.grad

        out._backward = _backward
        return out
