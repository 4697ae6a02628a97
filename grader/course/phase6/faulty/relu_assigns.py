"""The backward step of relu uses `=` instead of `+=`.

The operand may be used elsewhere too, and `=` overwrites the share that came from there. An
activation adds to `self.grad`, as `+` and `*` do.
"""

CAUGHT_BY = ("phase6.relu-backward",)


class Value:
    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward():
            self.grad = (self.data > 0) * out.grad

        out._backward = _backward
        return out
