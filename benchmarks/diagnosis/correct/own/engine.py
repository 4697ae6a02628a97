"""Each operator by itself, with its own derivative (I want to understand every one of them)."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    # addition: d/da = 1, d/db = 1
    def __add__(self, other):
        other = to_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += 1 * out.grad
            other.grad += 1 * out.grad

        out._backward = _backward
        return out

    # multiplication: d/da = b, d/db = a
    def __mul__(self, other):
        other = to_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    # negation: d/da = -1
    def __neg__(self):
        out = Value(-self.data, (self,), "neg")

        def _backward():
            self.grad += -1 * out.grad

        out._backward = _backward
        return out

    # subtraction: d/da = 1, d/db = -1
    def __sub__(self, other):
        other = to_value(other)
        out = Value(self.data - other.data, (self, other), "-")

        def _backward():
            self.grad += 1 * out.grad
            other.grad += -1 * out.grad

        out._backward = _backward
        return out

    # division: d/da = 1/b, d/db = -a/b^2
    def __truediv__(self, other):
        other = to_value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += (1 / other.data) * out.grad
            other.grad += (-self.data / other.data**2) * out.grad

        out._backward = _backward
        return out

    # power: d/da = n * a^(n-1)
    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("n must be int or float, got " + type(n).__name__)
        out = Value(self.data**n, (self,), f"**{n}")

        def _backward():
            self.grad += (n * self.data ** (n - 1)) * out.grad

        out._backward = _backward
        return out

    # the number on the left side
    def __radd__(self, other):
        return to_value(other) + self

    def __rmul__(self, other):
        return to_value(other) * self

    def __rsub__(self, other):
        return to_value(other) - self

    def __rtruediv__(self, other):
        return to_value(other) / self

    # tanh: d/da = 1 - tanh(a)^2
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - math.tanh(self.data) ** 2) * out.grad

        out._backward = _backward
        return out

    # relu: d/da = 1 if a > 0 else 0
    def relu(self):
        if self.data > 0:
            out = Value(self.data, (self,), "relu")
        else:
            out = Value(0.0, (self,), "relu")

        def _backward():
            if self.data > 0:
                self.grad += 1 * out.grad

        out._backward = _backward
        return out

    # exp: d/da = exp(a)
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += math.exp(self.data) * out.grad

        out._backward = _backward
        return out

    def build_topo(self):
        result = []
        visited = set()

        def go(node):
            if node in visited:
                return
            visited.add(node)
            for child in node._prev:
                go(child)
            result.append(node)

        go(self)
        return result

    def backward(self):
        nodes = self.build_topo()
        self.grad = 1.0
        for i in range(len(nodes) - 1, -1, -1):
            nodes[i]._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def to_value(x):
    if isinstance(x, Value):
        return x
    return Value(x)
