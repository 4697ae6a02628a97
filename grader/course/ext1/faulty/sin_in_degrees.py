"""`sin` treats its argument as degrees.

`math.sin` works in radians, and only there is the cosine its derivative. Do not convert.
"""

CAUGHT_BY = ("ext1.sin",)


def sin(x):
    out = Value(math.sin(math.radians(x.data)), (x,), "sin")

    def _backward():
        x.grad += math.cos(math.radians(x.data)) * out.grad

    out._backward = _backward
    return out
