"""Every node knows its level in the graph: leaves are at 0, a result is one above its highest operand."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None
        self._level = 1 + max((c._level for c in self._prev), default=-1)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _op_result(self, data, operands, op, share):
        out = Value(data, operands, op)
        def _backward():
            shares = share(out.grad, out.data)
            for operand, amount in zip(operands, shares):
                operand.grad += amount
        out._backward = _backward
        return out

    def __add__(self, other):
        other = val(other)
        return self._op_result(self.data + other.data, (self, other), "+", lambda g, z: (g, g))

    def __mul__(self, other):
        other = val(other)
        return self._op_result(
            self.data * other.data, (self, other), "*", lambda g, z: (g * other.data, g * self.data)
        )

    def __sub__(self, other):
        other = val(other)
        return self._op_result(self.data - other.data, (self, other), "-", lambda g, z: (g, -g))

    def __truediv__(self, other):
        other = val(other)
        return self._op_result(
            self.data / other.data, (self, other), "/", lambda g, z: (g / other.data, -g * z / other.data)
        )

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("the exponent is a number, not a " + type(k).__name__)
        return self._op_result(self.data**k, (self,), f"**{k}", lambda g, z: (g * k * self.data ** (k - 1),))

    def __neg__(self): return self._op_result(-self.data, (self,), "neg", lambda g, z: (-g,))
    def __radd__(self, other): return val(other) + self
    def __rsub__(self, other): return val(other) - self
    def __rmul__(self, other): return val(other) * self
    def __rtruediv__(self, other): return val(other) / self

    def tanh(self):
        return self._op_result(math.tanh(self.data), (self,), "tanh", lambda g, z: (g * (1 - z * z),))

    def relu(self):
        return self._op_result(
            self.data if self.data > 0 else 0.0, (self,), "relu", lambda g, z: (g if z > 0 else 0.0,)
        )

    def exp(self): return self._op_result(math.exp(self.data), (self,), "exp", lambda g, z: (g * z,))

    def build_topo(self):
        found = {self}
        frontier = [self]
        while frontier:
            frontier = list({child for node in frontier for child in node._prev} - found)
            found.update(frontier)
        return sorted(found, key=lambda node: node._level)

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def val(x): return x if isinstance(x, Value) else Value(x)
