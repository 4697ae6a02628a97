"""All operators are generated from two tables."""

import math
import operator


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent: int or float")
        y = self.data**exponent
        if exponent == 0:
            slope = 0.0
        elif self.data == 0 and exponent < 1:
            slope = math.inf
        else:
            slope = exponent * self.data ** (exponent - 1)
        return record(f"**{exponent}", y, [self], [slope])

    def build_topo(self):
        topo, visited = [], set()
        def visit(node):
            if node in visited:
                return
            visited.add(node)
            for child in node._prev:
                visit(child)
            topo.append(node)
        visit(self)
        return topo

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def record(op, data, operands, slopes):
    out = Value(data, operands, op)

    def _backward():
        for operand, slope in zip(operands, slopes):
            operand.grad += slope * out.grad

    out._backward = _backward
    return out


def make_binary(op, f, slopes):
    def method(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return record(op, f(self.data, other.data), [self, other], slopes(self.data, other.data))

    def reflected(self, other): return method(Value(other), self)

    return method, reflected


def make_unary(op, f, slope):
    def method(self):
        y = f(self.data)
        return record(op, y, [self], [slope(self.data, y)])

    return method


BINARY = [
    ("add", "+", operator.add, lambda a, b: (1, 1)),
    ("sub", "-", operator.sub, lambda a, b: (1, -1)),
    ("mul", "*", operator.mul, lambda a, b: (b, a)),
    ("truediv", "/", operator.truediv, lambda a, b: (1 / b, -a / b**2)),
]

UNARY = [
    ("__neg__", "neg", operator.neg, lambda x, y: -1),
    ("tanh", "tanh", math.tanh, lambda x, y: 1 - y * y),
    ("relu", "relu", lambda x: x if x > 0 else 0.0, lambda x, y: 1 if x > 0 else 0),
    ("exp", "exp", math.exp, lambda x, y: y),
]

for name, op, f, slopes in BINARY:
    method, reflected = make_binary(op, f, slopes)
    setattr(Value, f"__{name}__", method)
    setattr(Value, f"__r{name}__", reflected)

for name, op, f, slope in UNARY:
    setattr(Value, name, make_unary(op, f, slope))
