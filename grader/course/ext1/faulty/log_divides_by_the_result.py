"""The backward step of `log` divides by the result instead of the operand.

d log(x)/dx is 1/x. For tanh and exp you needed the result; here you need `x.data`.
"""

CAUGHT_BY = ("ext1.log-backward",)


def log(x):
    out = Value(math.log(x.data), (x,), "log")

    def _backward():
        x.grad += out.grad / (out.data or 1.0)

    out._backward = _backward
    return out
