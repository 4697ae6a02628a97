"""cos is a copy of sin, and still says so in `_op`.

All its numbers are right, and a picture of the graph shows a sine. After copying a function look at each of its lines.
"""

CAUGHT_BY = ("ext1.operands-untouched",)


def cos(x):
    out = Value(math.cos(x.data), (x,), "sin")

    def _backward():
        x.grad -= math.sin(x.data) * out.grad

    out._backward = _backward
    return out
