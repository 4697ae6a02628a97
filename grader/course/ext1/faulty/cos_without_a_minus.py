"""The backward step of `cos` lacks its minus sign.

The cosine falls where the sine is positive: d cos(x)/dx is -sin(x).
"""

CAUGHT_BY = ("ext1.cos-backward",)


def cos(x):
    out = Value(math.cos(x.data), (x,), "cos")

    def _backward():
        x.grad += math.sin(x.data) * out.grad

    out._backward = _backward
    return out
