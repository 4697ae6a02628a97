"""Each node keeps the method that sends its gradient back; nodes are sorted by their numbers."""

import itertools
import math
from functools import partial

birth = itertools.count()


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = self._send_nothing
        self.number = next(birth)

    def _send_nothing(self):
        pass

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _result(self, data, operands, op, rule):
        result = Value(data, operands, op)
        result._backward = partial(rule, result)
        return result

    def _get(self, share):
        self.grad += share

    @staticmethod
    def _as_value(other):
        if isinstance(other, Value):
            return other
        if type(other) in (int, float):
            return Value(other)
        raise TypeError("a Value or a number, please")

    def __add__(self, other):
        other = self._as_value(other)
        return self._result(self.data + other.data, [self, other], "+", Value._send_sum)

    def _send_sum(self):
        left, right = self._prev
        left._get(self.grad)
        right._get(self.grad)

    def __radd__(self, other):
        return self._as_value(other) + self

    def __mul__(self, other):
        other = self._as_value(other)
        return self._result(self.data * other.data, [self, other], "*", Value._send_product)

    def _send_product(self):
        left, right = self._prev
        left._get(right.data * self.grad)
        right._get(left.data * self.grad)

    def __rmul__(self, other):
        return self._as_value(other) * self

    def __neg__(self):
        return -1 * self

    def __sub__(self, other):
        return self + -1 * self._as_value(other)

    def __rsub__(self, other):
        return self._as_value(other) - self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("only numbers as exponents")
        result = self._result(self.data**exponent, [self], f"**{exponent}", Value._send_power)
        result.exponent = exponent
        return result

    def _send_power(self):
        (base,) = self._prev
        base._get(self.exponent * base.data ** (self.exponent - 1) * self.grad)

    def __truediv__(self, other):
        return self * self._as_value(other) ** -1

    def __rtruediv__(self, other):
        return self._as_value(other) / self

    def build_topo(self):
        found, todo = {self}, [self]
        while todo:
            new = set(todo.pop()._prev) - found
            found |= new
            todo += new
        return sorted(found, key=lambda node: node.number)

    def backward(self):
        self.grad = 1.0
        nodes = self.build_topo()
        while nodes:
            nodes.pop()._backward()

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
        return self._result(math.tanh(self.data), [self], "tanh", Value._send_tanh)

    def _send_tanh(self):
        self._prev[0]._get((1 - self.data * self.data) * self.grad)

    def relu(self):
        return self._result(max(0.0, self.data), [self], "relu", Value._send_relu)

    def _send_relu(self):
        if self.data > 0:
            self._prev[0]._get(self.grad)

    def exp(self):
        return self._result(math.exp(self.data), [self], "exp", Value._send_exp)

    def _send_exp(self):
        self._prev[0]._get(self.data * self.grad)
