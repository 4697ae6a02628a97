"""Backward rules as module functions, bound with functools.partial. No closures."""

import math
from functools import partial


def _leaf_backward():
    pass


def _add_backward(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def _mul_backward(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


def _pow_backward(a, n, out):
    a.grad += n * a.data ** (n - 1) * out.grad


def _tanh_backward(a, out):
    a.grad += (1 - out.data**2) * out.grad


def _relu_backward(a, out):
    a.grad += (a.data > 0) * out.grad


def _exp_backward(a, out):
    a.grad += out.data * out.grad


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = _leaf_backward

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        if isinstance(other, (int, float)):
            other = Value(other)
        elif not isinstance(other, Value):
            return NotImplemented
        out = Value(self.data + other.data, (self,), "+")
        out._backward = partial(_add_backward, self, other, out)
        return out

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            other = Value(other)
        elif not isinstance(other, Value):
            return NotImplemented
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = partial(_mul_backward, self, other, out)
        return out

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            return NotImplemented
        out = Value(self.data**n, (self,), f"**{n}")
        out._backward = partial(_pow_backward, self, n, out)
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __truediv__(self, other):
        if isinstance(other, Value):
            return self * other**-1
        return self * (1 / other)

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return self * -1 + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return self**-1 * other

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        out._backward = partial(_tanh_backward, self, out)
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")
        out._backward = partial(_relu_backward, self, out)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        out._backward = partial(_exp_backward, self, out)
        return out

    def build_topo(self):
        visited = set()
        topo = []
        stack = [self]
        while stack:
            node = stack[-1]
            if node in visited:
                stack.pop()
                continue
            todo = [child for child in node._prev if child not in visited]
            if todo:
                stack += todo
            else:
                visited.add(node)
                topo.append(stack.pop())
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
