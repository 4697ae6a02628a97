"""`log` computes the logarithm to base 10.

`math.log` with one argument is the natural logarithm, whose derivative is 1/x. For base 10 it would
be 1 / (x * ln 10).
"""

CAUGHT_BY = ("ext1.log",)


def log(x):
    out = Value(math.log10(x.data), (x,), "log")

    def _backward():
        x.grad += out.grad / x.data

    out._backward = _backward
    return out
