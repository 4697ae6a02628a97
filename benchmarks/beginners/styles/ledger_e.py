"""A result keeps a ledger: what it owes to whom for each unit of its own gradient."""

import math


def number_of(thing):
    return thing.data if isinstance(thing, Value) else thing


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._op = data, 0.0, _op
        self._prev = set(_children)
        self.ledger = []
        self._backward = self.pay

    def pay(self):
        for creditor, rate in self.ledger:
            creditor.grad += rate * self.grad

    def owe(self, *entries):
        self.ledger = [entry for entry in entries if isinstance(entry[0], Value)]
        self._prev = {creditor for creditor, _ in self.ledger}
        return self

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        return Value(self.data + number_of(other), (), "+").owe((self, 1.0), (other, 1.0))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        x, y = self.data, number_of(other)
        return Value(x * y, (), "*").owe((self, y), (other, x))

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return Value(-self.data, (), "neg").owe((self, -1.0))

    def __sub__(self, other):
        return Value(self.data - number_of(other), (), "-").owe((self, 1.0), (other, -1.0))

    def __rsub__(self, other):
        return -self + other

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("a number, please")
        x, n = self.data, exponent
        return Value(x**n, (), f"**{n}").owe((self, n * x ** (n - 1)))

    def __truediv__(self, other):
        x, y = self.data, number_of(other)
        return Value(x / y, (), "/").owe((self, 1 / y), (other, -x / y**2))

    def __rtruediv__(self, other):
        x, y = other, self.data
        return Value(x / y, (), "/").owe((self, -x / y**2))

    def build_topo(self):
        order, seen, stack = [], {self}, [(self, iter(self._prev))]
        while stack:
            node, operands = stack[-1]
            for operand in operands:
                if operand not in seen:
                    seen.add(operand)
                    stack.append((operand, iter(operand._prev)))
                    break
            else:
                order.append(node)
                stack.pop()
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (), "tanh").owe((self, 1 - t * t))

    def relu(self):
        x = self.data
        return Value(max(x, 0.0), (), "relu").owe((self, 1.0 if x > 0 else 0.0))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (), "exp").owe((self, e))
