"""Every operation is one line: its value, and its slopes as functions of the numbers involved."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _unary(self, op, f, df):
        """df(x, y) is the slope of f at x, where y = f(x)."""
        out = Value(f(self.data), (self,), op)
        def _backward():
            self.grad += df(self.data, out.data) * out.grad
        out._backward = _backward
        return out

    def _binary(self, other, op, f, da, db):
        """da(a, b) and db(a, b) are the slopes of f(a, b)."""
        other = other if isinstance(other, Value) else Value(other)
        out = Value(f(self.data, other.data), (self, other), op)
        def _backward():
            self.grad += da(self.data, other.data) * out.grad
            other.grad += db(self.data, other.data) * out.grad
        out._backward = _backward
        return out

    def __add__(self, other):
        return self._binary(other, "+", lambda a, b: a + b, lambda a, b: 1, lambda a, b: 1)

    def __sub__(self, other):
        return self._binary(other, "-", lambda a, b: a - b, lambda a, b: 1, lambda a, b: -1)

    def __mul__(self, other):
        return self._binary(other, "*", lambda a, b: a * b, lambda a, b: b, lambda a, b: a)

    def __truediv__(self, other):
        return self._binary(other, "/", lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / b**2)

    def __radd__(self, other):
        return self._binary(other, "+", lambda a, b: b + a, lambda a, b: 1, lambda a, b: 1)

    def __rsub__(self, other):
        return self._binary(other, "-", lambda a, b: b - a, lambda a, b: -1, lambda a, b: 1)

    def __rmul__(self, other):
        return self._binary(other, "*", lambda a, b: b * a, lambda a, b: b, lambda a, b: a)

    def __rtruediv__(self, other):
        return self._binary(other, "/", lambda a, b: b / a, lambda a, b: -b / a**2, lambda a, b: 1 / a)

    def __neg__(self): return self._unary("neg", lambda x: -x, lambda x, y: -1)

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("only numbers as exponents")
        return self._unary(f"**{n}", lambda x: x**n, lambda x, y: n * x ** (n - 1))

    def tanh(self): return self._unary("tanh", math.tanh, lambda x, y: 1 - y**2)
    def relu(self): return self._unary("relu", lambda x: max(x, 0.0), lambda x, y: float(x > 0))
    def exp(self): return self._unary("exp", math.exp, lambda x, y: y)

    def build_topo(self):
        topo, visited = [], set()
        stack = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if expanded:
                topo.append(node)
                continue
            if node in visited:
                continue
            visited.add(node)
            stack.append((node, True))
            for child in node._prev:
                stack.append((child, False))
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
