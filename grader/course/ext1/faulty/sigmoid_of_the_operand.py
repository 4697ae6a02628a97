"""The backward step of `sigmoid` computes x * (1 - x) instead of s * (1 - s).

Here s is sigmoid(x), the result: `out.data`.
"""

CAUGHT_BY = ("ext1.sigmoid-backward",)


def sigmoid(x):
    small = math.exp(-abs(x.data))
    out = Value((1 if x.data >= 0 else small) / (1 + small), (x,), "sigmoid")

    def _backward():
        x.grad += x.data * (1 - x.data) * out.grad

    out._backward = _backward
    return out
