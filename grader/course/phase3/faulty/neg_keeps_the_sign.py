"""The gradient of `-a` is passed on without changing its sign.

Nudge `a` up, and `-a` goes down: the derivative is -1. With `self * -1` the backward step comes for
free.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        out = Value(-self.data, (self,), "neg")

        def _backward():
            self.grad += out.grad

        out._backward = _backward
        return out
