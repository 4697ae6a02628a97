"""An engine whose nodes wait until every user has sent its share; a worklist holds the ready ones."""

import math
from collections import Counter


def const(v):
    return v if isinstance(v, Value) else Value(v)


def make(value, op, inputs, slopes):
    result = Value(value, inputs, op)

    def send():
        for i in range(len(inputs)):
            inputs[i].grad += slopes[i] * result.grad

    result._backward = send
    return result


def users(root):
    count = Counter()
    seen = {id(root)}
    agenda = [root]
    while agenda:
        n = agenda.pop()
        for m in n._prev:
            count[id(m)] += 1
            if id(m) not in seen:
                seen.add(id(m))
                agenda.append(m)
    return count


def from_the_top(root):
    count = users(root)
    ready = [root]
    while ready:
        n = ready.pop(0)
        yield n
        for m in n._prev:
            count[id(m)] -= 1
            if count[id(m)] == 0:
                ready.append(m)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = const(other)
        return make(self.data + other.data, "+", (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = const(other)
        return make(self.data * other.data, "*", (self, other), (other.data, self.data))

    def __sub__(self, other):
        other = const(other)
        return make(self.data - other.data, "-", (self, other), (1.0, -1.0))

    def __truediv__(self, other):
        other = const(other)
        x, y = self.data, other.data
        return make(x / y, "/", (self, other), (1 / y, -x / y**2))

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("n must be a number")
        return make(self.data**n, f"**{n}", (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return make(-self.data, "neg", (self,), (-1.0,))

    def __radd__(self, other):
        return const(other) + self

    def __rmul__(self, other):
        return const(other) * self

    def __rsub__(self, other):
        return const(other) - self

    def __rtruediv__(self, other):
        return const(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return make(t, "tanh", (self,), (1 - t**2,))

    def relu(self):
        return make(max(0.0, self.data), "relu", (self,), (float(self.data > 0),))

    def exp(self):
        e = math.exp(self.data)
        return make(e, "exp", (self,), (e,))

    def build_topo(self):
        return list(from_the_top(self))[::-1]

    def backward(self):
        self.grad = 1.0
        for node in from_the_top(self):
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for node in from_the_top(self):
            node.grad = 0.0
