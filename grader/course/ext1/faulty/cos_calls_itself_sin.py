"""The `_op` of cos is still "sin".

All its numbers are right, but a picture of the graph shows a sine. After copying a function, check
each of its lines.
"""

CAUGHT_BY = ("ext1.operands-untouched",)


def cos(x):
    out = Value(math.cos(x.data), (x,), "sin")

    def _backward():
        x.grad -= math.sin(x.data) * out.grad

    out._backward = _backward
    return out
