"""An autograd engine in which every operation says, for each operand, how fast the result moves with it."""

import math


def as_value(number):
    if isinstance(number, Value):
        return number
    if isinstance(number, (int, float)):
        return Value(number)
    raise TypeError(f"cannot calculate with {number!r}")


def result(number, op, *edges):
    """A new Value; `edges` are pairs (operand, local derivative)."""
    node = Value(number, [operand for operand, _ in edges], op)

    def push():
        for operand, rate in edges:
            operand.grad += rate * node.grad

    node._backward = push
    return node


def nothing():
    pass


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = nothing

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def __add__(self, other):
        other = as_value(other)
        return result(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    __radd__ = __add__

    def __mul__(self, other):
        other = as_value(other)
        return result(self.data * other.data, "*", (self, other.data), (other, self.data))

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __rsub__(self, other):
        return as_value(other) - self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a plain number")
        x = self.data
        y = x**exponent
        slope = exponent * x ** (exponent - 1) if exponent != 0 else 0.0
        return result(y, f"**{exponent}", (self, slope))

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __rtruediv__(self, other):
        return as_value(other) / self

    def build_topo(self):
        order, seen = [], {self}
        stack = [(self, iter(self._prev))]
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
        for node in self.build_topo()[::-1]:
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1,
            "a after s": 7,
            "a with =": 3,
            "s again": 2,
            "a again": 20,
            "a from both": 11,
        }

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        t = math.tanh(self.data)
        return result(t, "tanh", (self, 1 - t * t))

    def relu(self):
        x = self.data
        slope = 1.0 if x > 0 else 0.0
        return result(x if x > 0 else 0.0, "relu", (self, slope))

    def exp(self):
        y = math.exp(self.data)
        return result(y, "exp", (self, y))
