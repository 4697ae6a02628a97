"""`sin(x)` keeps its result, and returns it again.

Training changes `x.data`, and then the old result is wrong. Make a new Value in each call.
"""

CAUGHT_BY = ("ext1.operands-untouched",)


def sin(x):
    if hasattr(x, "sine"):
        return x.sine
    out = x.sine = Value(math.sin(x.data), (x,), "sin")

    def _backward():
        x.grad += math.cos(x.data) * out.grad

    out._backward = _backward
    return out
