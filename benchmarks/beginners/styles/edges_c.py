"""Scalar autograd. Every operation lists its operands with the local derivatives."""

import math


def as_value(thing):
    return thing if isinstance(thing, Value) else Value(thing)


def make(number, op, *edges):
    """A result; edges are pairs (operand, d result / d operand)."""
    res = Value(number, tuple(operand for operand, _ in edges), op)

    def push():
        for operand, local in edges:
            operand.grad += local * res.grad

    res._backward = push
    return res


def nothing():
    pass


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(dict.fromkeys(_children))
        self._op = _op
        self._backward = nothing

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def __add__(self, other):
        other = as_value(other)
        return make(self.data + other.data, "+", (self, 1), (other, 1))

    __radd__ = __add__

    def __mul__(self, other):
        other = as_value(other)
        return make(self.data * other.data, "*", (self, other.data), (other, self.data))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return make(-self.data, "neg", (self, -1))

    def __sub__(self, other):
        other = as_value(other)
        return make(self.data - other.data, "-", (self, 1), (other, -1))

    def __rsub__(self, other):
        return as_value(other) - self

    def __pow__(self, exponent):
        if isinstance(exponent, (int, float)):
            local = exponent * self.data ** (exponent - 1) if exponent != 0 else 0.0
            return make(self.data**exponent, "**" + str(exponent), (self, local))
        raise TypeError("only numbers can be exponents")

    def __truediv__(self, other):
        other = as_value(other)
        top, bottom = self.data, other.data
        return make(top / bottom, "/", (self, 1 / bottom), (other, -top / bottom**2))

    def __rtruediv__(self, other):
        return as_value(other) / self

    def build_topo(self):
        order = []
        seen = {self}
        stack = [(self, iter(self._prev))]
        while stack:
            node, operands = stack[-1]
            for operand in operands:
                if operand not in seen:
                    seen.add(operand)
                    stack.append((operand, iter(operand._prev)))
                    break
            else:
                stack.pop()
                order.append(node)
        return order

    def backward(self):
        order = self.build_topo()
        self.grad = 1.0
        while order:
            order.pop()._backward()

    @staticmethod
    def predictions():
        answers = {"a after f": 1, "a after s": 7, "a with =": 3}
        answers.update({"s again": 2, "a again": 20, "a from both": 11})
        return answers

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        t = math.tanh(self.data)
        return make(t, "tanh", (self, 1 - t * t))

    def relu(self):
        if self.data > 0:
            return make(self.data, "relu", (self, 1))
        return make(0.0, "relu", (self, 0))

    def exp(self):
        e = math.exp(self.data)
        return make(e, "exp", (self, e))
