"""An engine by somebody who likes lists and dicts; its steps are tuples of a node and a slope."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = []
        for child in _children:
            self._prev.append(child)
        self._op = _op
        self.slopes = []

    def __repr__(self):
        return "Value(data=%r, grad=%r)" % (self.data, self.grad)

    @staticmethod
    def _v(x):
        if type(x) is Value:
            return x
        return Value(x)

    def _backward(self):
        for k in range(len(self._prev)):
            self._prev[k].grad = self._prev[k].grad + self.slopes[k] * self.grad

    def __add__(self, other):
        other = Value._v(other)
        c = Value(self.data + other.data, [self, other], "+")
        c.slopes = [1, 1]
        return c

    def __mul__(self, other):
        other = Value._v(other)
        c = Value(self.data * other.data, [self, other], "*")
        c.slopes = [other.data, self.data]
        return c

    def __pow__(self, p):
        if isinstance(p, int) or isinstance(p, float):
            c = Value(self.data**p, [self], "**" + str(p))
            c.slopes = [p * self.data ** (p - 1)]
            return c
        raise TypeError("p should be a number")

    def __neg__(self):
        return self * (-1)

    def __sub__(self, other):
        return self + Value._v(other) * (-1)

    def __truediv__(self, other):
        return self * Value._v(other) ** (-1)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value._v(other) - self

    def __rtruediv__(self, other):
        return Value._v(other) / self

    def tanh(self):
        c = Value(math.tanh(self.data), [self], "tanh")
        c.slopes = [1 - c.data**2]
        return c

    def relu(self):
        c = Value(self.data, [self], "relu")
        c.slopes = [1]
        if self.data <= 0:
            c.data = 0.0
            c.slopes = [0]
        return c

    def exp(self):
        c = Value(math.exp(self.data), [self], "exp")
        c.slopes = [c.data]
        return c

    def build_topo(self):
        done = {}
        result = []
        path = [self]
        while len(path) > 0:
            top = path[-1]
            waiting = [child for child in top._prev if id(child) not in done]
            if waiting:
                path.append(waiting[0])
                continue
            path.pop()
            if id(top) not in done:
                done[id(top)] = True
                result.append(top)
        return result

    def backward(self):
        order = self.build_topo()
        order[-1].grad = 1.0
        i = len(order) - 1
        while i >= 0:
            order[i]._backward()
            i -= 1

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
