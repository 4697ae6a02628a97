"""An engine with two helpers, for operations with one operand and with two."""

import math


def number_or_value(thing):
    if not isinstance(thing, Value):
        thing = Value(thing)
    return thing


def unary(x, number, name, slope):
    y = Value(number, {x}, name)

    def share():
        x.receive(slope(x.data, y.data) * y.grad)

    y._backward = share
    return y


def binary(left, right, number, name, slopes):
    y = Value(number, {left, right}, name)

    def share():
        to_left, to_right = slopes(left.data, right.data)
        left.receive(to_left * y.grad)
        right.receive(to_right * y.grad)

    y._backward = share
    return y


def do_nothing():
    pass


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = do_nothing

    def receive(self, amount):
        self.grad = self.grad + amount

    def __repr__(self):
        return f"{type(self).__name__}(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = number_or_value(other)
        return binary(self, other, self.data + other.data, "+", lambda l, r: (1.0, 1.0))

    def __radd__(self, other):
        return self.__add__(other)

    def __mul__(self, other):
        other = number_or_value(other)
        return binary(self, other, self.data * other.data, "*", lambda l, r: (r, l))

    def __rmul__(self, other):
        return self.__mul__(other)

    def __neg__(self):
        return unary(self, -self.data, "neg", lambda x, y: -1.0)

    def __sub__(self, other):
        return self.__add__(-other)

    def __rsub__(self, other):
        return (-self).__add__(other)

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("expected a number as exponent")

        def slope(x, y):
            return exponent * x ** (exponent - 1)

        return unary(self, self.data**exponent, "**" + str(exponent), slope)

    def __truediv__(self, other):
        other = number_or_value(other)
        return self.__mul__(other.__pow__(-1))

    def __rtruediv__(self, other):
        return self.__pow__(-1).__mul__(other)

    def tanh(self):
        return unary(self, math.tanh(self.data), "tanh", lambda x, y: 1 - y**2)

    def relu(self):
        return unary(self, max(0.0, self.data), "relu", lambda x, y: 1.0 if x > 0 else 0.0)

    def exp(self):
        return unary(self, math.exp(self.data), "exp", lambda x, y: y)

    def build_topo(self):
        return list(self.walk(set()))

    def walk(self, seen):
        if self not in seen:
            seen.add(self)
            for operand in self._prev:
                yield from operand.walk(seen)
            yield self

    def backward(self):
        nodes = self.build_topo()
        nodes.reverse()
        nodes[0].grad = 1.0
        for node in nodes:
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for node in self.walk(set()):
            node.grad = 0.0
