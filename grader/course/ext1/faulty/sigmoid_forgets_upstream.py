"""The backward step of `sigmoid` leaves out the gradient of its result.

s * (1 - s) is the local derivative. The chain rule multiplies it by `out.grad`.
"""

CAUGHT_BY = ("ext1.sigmoid-backward",)


def sigmoid(x):
    small = math.exp(-abs(x.data))
    out = Value((1 if x.data >= 0 else small) / (1 + small), (x,), "sigmoid")

    def _backward():
        x.grad += out.data * (1 - out.data)

    out._backward = _backward
    return out
