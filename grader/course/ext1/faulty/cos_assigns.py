"""The backward step of `cos` overwrites the gradient of its operand instead of adding to it.

With `=` the share through cos replaces the shares from all other uses of x. Every backward step
adds: `+=` (or `-=`).
"""

CAUGHT_BY = ("ext1.cos-backward",)


def cos(x):
    out = Value(math.cos(x.data), (x,), "cos")

    def _backward():
        x.grad = -math.sin(x.data) * out.grad

    out._backward = _backward
    return out
