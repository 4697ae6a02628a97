"""An engine whose results keep an edge to each operand: the operand and its local derivative."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._edges = []

    def _backward(self):
        for parent, local in self._edges:
            parent.grad += local * self.grad

    def __repr__(self):
        return "Value(data=" + str(self.data) + ", grad=" + str(self.grad) + ")"

    def _result(self, data, op, *edges):
        result = Value(data, [parent for parent, _ in edges], op)
        result._edges.extend(edges)
        return result

    def __add__(self, other):
        other = wrap(other)
        return self._result(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = wrap(other)
        return self._result(self.data * other.data, "*", (self, other.data), (other, self.data))

    def __neg__(self):
        return self._result(-self.data, "neg", (self, -1.0))

    def __sub__(self, other):
        other = wrap(other)
        return self._result(self.data - other.data, "-", (self, 1.0), (other, -1.0))

    def __pow__(self, n):
        if type(n) not in (int, float):
            raise TypeError("the exponent is a plain number")
        return self._result(self.data**n, f"**{n}", (self, n * self.data ** (n - 1)))

    def __truediv__(self, other):
        other = wrap(other)
        q = self.data / other.data
        return self._result(q, "/", (self, 1 / other.data), (other, -q / other.data))

    def __radd__(self, other):
        return wrap(other) + self

    def __rmul__(self, other):
        return wrap(other) * self

    def __rsub__(self, other):
        return wrap(other) - self

    def __rtruediv__(self, other):
        return wrap(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return self._result(t, "tanh", (self, 1 - t * t))

    def relu(self):
        positive = self.data > 0
        return self._result(self.data if positive else 0.0, "relu", (self, float(positive)))

    def exp(self):
        e = math.exp(self.data)
        return self._result(e, "exp", (self, e))

    def build_topo(self):
        uses = self._count_uses()
        ready, order = [self], []
        while ready:
            node = ready.pop()
            order.append(node)
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)
        order.reverse()
        return order

    def _count_uses(self):
        uses, todo = {self: 0}, [self]
        while todo:
            node = todo.pop()
            for child in node._prev:
                if child not in uses:
                    uses[child] = 0
                    todo.append(child)
                uses[child] += 1
        return uses

    def backward(self):
        self.grad = 1.0
        order = self.build_topo()
        while order:
            order.pop()._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def wrap(x):
    return x if isinstance(x, Value) else Value(x)
