"""The engine in three layers: the graph, the arithmetic, the activations."""

import math


class Graph:
    """What a node knows about its place in the graph."""

    def build_topo(self):
        order = []
        self._visit(order, set())
        return order

    def _visit(self, order, visited):
        if self in visited:
            return
        visited.add(self)
        for child in self._prev:
            child._visit(order, visited)
        order.append(self)

    def backward(self):
        order = self.build_topo()
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    def zero_grad(self):
        self.grad = 0.0


class Arithmetic:
    """Operators. Only +, * and ** know how to differentiate themselves."""

    def __add__(self, other):
        other = self._lift(other)
        out = self._new(self.data + other.data, (self, other), "+")

        def _backward():
            for operand in (self, other):
                operand.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = self._lift(other)
        out = self._new(self.data * other.data, (self, other), "*")

        def _backward():
            for operand, partner in ((self, other), (other, self)):
                operand.grad += partner.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent must be int or float")
        out = self._new(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            slope = exponent * self.data ** (exponent - 1)
            self.grad += slope * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-self._lift(other))

    def __truediv__(self, other):
        return self * self._lift(other) ** -1

    def __radd__(self, other):
        return self._lift(other) + self

    def __rsub__(self, other):
        return self._lift(other) - self

    def __rmul__(self, other):
        return self._lift(other) * self

    def __rtruediv__(self, other):
        return self._lift(other) / self


class Activations:
    """Non-linear functions."""

    def tanh(self):
        out = self._new(math.tanh(self.data), (self,), "tanh")

        def _backward():
            slope = 1 - out.data**2
            self.grad += slope * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = self._new(max(0, self.data), (self,), "relu")

        def _backward():
            slope = 1 if self.data > 0 else 0
            self.grad += slope * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = self._new(math.exp(self.data), (self,), "exp")

        def _backward():
            slope = out.data
            self.grad += slope * out.grad

        out._backward = _backward
        return out


class Value(Graph, Arithmetic, Activations):
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @classmethod
    def _new(cls, data, children, op):
        return cls(data, children, op)

    @classmethod
    def _lift(cls, x):
        return x if isinstance(x, cls) else cls(x)
