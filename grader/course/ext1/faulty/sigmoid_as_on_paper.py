"""`sigmoid` computes 1 / (1 + math.exp(-x)) for every x.

For x = -800 that is math.exp(800), which is too large for a float. Write it so that the exponent is
never positive.
"""

CAUGHT_BY = ("ext1.sigmoid-far-out",)


def sigmoid(x):
    out = Value(1 / (1 + math.exp(-x.data)), (x,), "sigmoid")

    def _backward():
        x.grad += out.data * (1 - out.data) * out.grad

    out._backward = _backward
    return out
