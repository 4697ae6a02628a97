"""Operands are the keys of a dictionary, local derivatives its values."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = float(data)
        self.grad = 0.0
        self._op = _op
        self._edges = _children if not isinstance(_children, tuple) else {}

    @property
    def _prev(self):
        return set(self._edges)

    def _backward(self):
        for node, local in self._edges.items():
            node.grad += local * self.grad

    @staticmethod
    def lift(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, o):
        o = Value.lift(o)
        return Value(self.data + o.data, {self: 2.0} if self is o else {self: 1.0, o: 1.0}, "+")

    def __mul__(self, o):
        o = Value.lift(o)
        return Value(
            self.data * o.data,
            {self: 2 * self.data} if self is o else {self: o.data, o: self.data},
            "*",
        )

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("numbers only")
        return Value(self.data**n, {self: n * self.data ** (n - 1)}, f"**{n}")

    def relu(self):
        return Value(max(0.0, self.data), {self: float(self.data > 0)}, "relu")

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, {self: 1 - t * t}, "tanh")

    def exp(self):
        e = math.exp(self.data)
        return Value(e, {self: e}, "exp")

    def build_topo(self):
        topo, seen = [], set()

        def visit(v):
            if id(v) in seen:
                return
            seen.add(id(v))
            for c in v._edges:
                visit(c)
            topo.append(v)

        visit(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"
