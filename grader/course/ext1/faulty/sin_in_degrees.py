"""`sin` takes its argument for degrees.

`math.sin` works in radians, and only there is the cosine its derivative. No conversion.
"""

CAUGHT_BY = ("ext1.sin",)


def sin(x):
    out = Value(math.sin(math.radians(x.data)), (x,), "sin")

    def _backward():
        x.grad += math.cos(math.radians(x.data)) * out.grad

    out._backward = _backward
    return out
