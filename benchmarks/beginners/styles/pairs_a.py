"""Autograd: one helper makes every result, from (operand, local derivative) pairs."""

import math


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def made(op, number, *links):
    """A result with its links: pairs of an operand and a function for the local derivative."""
    result = Value(number, [operand for operand, _ in links], op)

    def send_back():
        for operand, local in links:
            operand.grad += local() * result.grad

    result._backward = send_back
    return result


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def __add__(self, other):
        other = lift(other)
        return made("+", self.data + other.data, (self, lambda: 1.0), (other, lambda: 1.0))

    def __radd__(self, other):
        return lift(other) + self

    def __mul__(self, other):
        other = lift(other)
        return made(
            "*", self.data * other.data, (self, lambda: other.data), (other, lambda: self.data)
        )

    def __rmul__(self, other):
        return lift(other) * self

    def __neg__(self):
        return -1 * self

    def __sub__(self, other):
        return self + -lift(other)

    def __rsub__(self, other):
        return lift(other) - self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("only plain numbers as exponents")
        n = exponent
        return made(f"**{n}", self.data**n, (self, lambda: n * self.data ** (n - 1)))

    def __truediv__(self, other):
        return self * lift(other) ** -1

    def __rtruediv__(self, other):
        return lift(other) / self

    def build_topo(self):
        order, seen = [], {self}
        stack = [(self, iter(self._prev))]
        while stack:
            node, rest = stack[-1]
            for child in rest:
                if child not in seen:
                    seen.add(child)
                    stack.append((child, iter(child._prev)))
                    break
            else:
                order.append(node)
                stack.pop()
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1,
            "a after s": 1 + 3 + 3,
            "a with =": 3,
            "s again": 1 + 1,
            "a again": 7 + 1 + 2 * 6,
            "a from both": 7 + 4,
        }

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        th = math.tanh(self.data)
        return made("tanh", th, (self, lambda: 1 - th * th))

    def relu(self):
        return made("relu", max(0, self.data), (self, lambda: 1.0 if self.data > 0 else 0.0))

    def exp(self):
        e = math.exp(self.data)
        return made("exp", e, (self, lambda: e))
