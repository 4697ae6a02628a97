"""The backward step of `sin` takes the cosine of the result.

cos(sin(x)) is a different function. Take the local derivative at the operand: `math.cos(x.data)`.
"""

CAUGHT_BY = ("ext1.sin-backward",)


def sin(x):
    out = Value(math.sin(x.data), (x,), "sin")

    def _backward():
        x.grad += math.cos(out.data) * out.grad

    out._backward = _backward
    return out
