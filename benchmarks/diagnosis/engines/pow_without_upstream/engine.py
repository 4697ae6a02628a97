"""My autograd engine. Follows the lecture."""

import math


class Value:
    """Stores a single scalar and its gradient."""

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, rhs):
        rhs = rhs if isinstance(rhs, Value) else Value(rhs)
        result = Value(self.data + rhs.data, (self, rhs), "+")

        def _backward():
            self.grad += result.grad
            rhs.grad += result.grad

        result._backward = _backward
        return result

    def __mul__(self, rhs):
        rhs = rhs if isinstance(rhs, Value) else Value(rhs)
        result = Value(self.data * rhs.data, (self, rhs), "*")

        def _backward():
            self.grad += rhs.data * result.grad
            rhs.grad += self.data * result.grad

        result._backward = _backward
        return result

    def __pow__(self, rhs):
        if not isinstance(rhs, (int, float)):
            raise TypeError("only supporting int/float powers for now")
        result = Value(self.data**rhs, (self,), f"**{rhs}")

        def _backward():
            self.grad += rhs * self.data ** (rhs - 1)

        result._backward = _backward
        return result

    def tanh(self):
        x = self.data
        t = math.tanh(x)
        result = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * result.grad

        result._backward = _backward
        return result

    def relu(self):
        result = Value(0 if self.data < 0 else self.data, (self,), "relu")

        def _backward():
            self.grad += (result.data > 0) * result.grad

        result._backward = _backward
        return result

    def exp(self):
        x = self.data
        result = Value(math.exp(x), (self,), "exp")

        def _backward():
            self.grad += result.data * result.grad

        result._backward = _backward
        return result

    def build_topo(self):
        topo = []
        visited = set()

        def visit(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    visit(child)
                topo.append(v)

        visit(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0

    def __neg__(self):  # -self
        return self * -1

    def __radd__(self, rhs):  # rhs + self
        return self + rhs

    def __sub__(self, rhs):  # self - rhs
        return self + (-rhs)

    def __rsub__(self, rhs):  # rhs - self
        return rhs + (-self)

    def __rmul__(self, rhs):  # rhs * self
        return self * rhs

    def __truediv__(self, rhs):  # self / rhs
        return self * rhs**-1

    def __rtruediv__(self, rhs):  # rhs / self
        return rhs * self**-1
