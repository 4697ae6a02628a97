"""More operations on Values: each makes its result and passes the gradient back to `x`."""

import math

from engine import Value


def log(x):
    out = Value(math.log(x.data), (x,), "log")

    def _backward():
        x.grad += out.grad / x.data

    out._backward = _backward
    return out


def sin(x):
    out = Value(math.sin(x.data), (x,), "sin")

    def _backward():
        x.grad += math.cos(x.data) * out.grad

    out._backward = _backward
    return out


def cos(x):
    out = Value(math.cos(x.data), (x,), "cos")

    def _backward():
        x.grad -= math.sin(x.data) * out.grad

    out._backward = _backward
    return out


def sigmoid(x):
    small = math.exp(-abs(x.data))
    out = Value((1 if x.data >= 0 else small) / (1 + small), (x,), "sigmoid")

    def _backward():
        x.grad += out.data * (1 - out.data) * out.grad

    out._backward = _backward
    return out
