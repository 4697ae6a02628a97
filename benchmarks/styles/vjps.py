"""Reverse mode with pull-backs: each result knows, for each operand, how to turn its gradient into the operand's."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", pullbacks=()):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._pullbacks = list(pullbacks)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _backward(self):
        for operand, pull in zip(self._prev, self._pullbacks):
            operand.grad += pull(self.grad)

    def __add__(self, other):
        other = lift(other)
        return Value(self.data + other.data, [self, other], "+", [lambda g: g, lambda g: g])

    def __sub__(self, other):
        other = lift(other)
        return Value(self.data - other.data, [self, other], "-", [lambda g: g, lambda g: -g])

    def __mul__(self, other):
        other = lift(other)
        a, b = self.data, other.data
        return Value(a * b, [self, other], "*", [lambda g: g * b, lambda g: g * a])

    def __truediv__(self, other):
        other = lift(other)
        a, b = self.data, other.data
        return Value(a / b, [self, other], "/", [lambda g: g / b, lambda g: -g * a / b**2])

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(f"{n!r} is no exponent")
        a = self.data
        return Value(a**n, [self], f"**{n}", [lambda g: g * n * a ** (n - 1)])

    def __neg__(self): return Value(-self.data, [self], "neg", [lambda g: -g])
    def __radd__(self, other): return lift(other) + self
    def __rsub__(self, other): return lift(other) - self
    def __rmul__(self, other): return lift(other) * self
    def __rtruediv__(self, other): return lift(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, [self], "tanh", [lambda g: g * (1 - t**2)])

    def relu(self):
        alive = self.data > 0
        return Value(self.data if alive else 0.0, [self], "relu", [lambda g: g if alive else 0.0])

    def exp(self):
        e = math.exp(self.data)
        return Value(e, [self], "exp", [lambda g: g * e])

    def build_topo(self): return list(_operands_first(self, set()))

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def _operands_first(node, seen):
    if node in seen:
        return
    seen.add(node)
    for operand in node._prev:
        yield from _operands_first(operand, seen)
    yield node


def lift(x): return x if isinstance(x, Value) else Value(x)
