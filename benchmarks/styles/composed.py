"""As few derivatives as possible: +, * and exp know theirs, and so does the general power. The rest is algebra."""

import functools
import math


def operands(method):
    """Wrap plain numbers before they reach the method."""

    @functools.wraps(method)
    def wrapper(self, other): return method(self, other if isinstance(other, Value) else Value(other))

    return wrapper


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @operands
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    @operands
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data
        out._backward = _backward
        return out

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("the exponent is a constant: an int or a float")
        out = Value(self.data**k, (self,), f"**{k}")
        def _backward():
            self.grad += out.grad * k * self.data ** (k - 1)
        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        def _backward():
            self.grad += out.grad * out.data
        out._backward = _backward
        return out

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self): return self * -1

    @operands
    def __sub__(self, other): return self + -other

    @operands
    def __rsub__(self, other): return other + -self

    @operands
    def __truediv__(self, other): return self * other**-1

    @operands
    def __rtruediv__(self, other): return other * self**-1

    def tanh(self):
        if self.data >= 0:
            e = (self * -2).exp()
            out = (1 - e) / (1 + e)
        else:
            e = (self * 2).exp()
            out = (e - 1) / (e + 1)
        out._op = "tanh"
        return out

    def relu(self):
        out = self * (1.0 if self.data > 0 else 0.0)
        out._op = "relu"
        return out

    def build_topo(self):
        topo = []
        visited = {self}
        def visit(node):
            for child in node._prev:
                if child not in visited:
                    visited.add(child)
                    visit(child)
            topo.append(node)
        visit(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
