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

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        o = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += o.grad
            other.grad += o.grad

        o._backward = _backward
        return o

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        o = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * o.grad
            other.grad += self.data * o.grad

        o._backward = _backward
        return o

    def __pow__(self, other):
        if not isinstance(other, (int, float)):
            raise TypeError("only supporting int/float powers for now")
        o = Value(self.data**other, (self,), f"**{other}")

        def _backward():
            self.grad += other * self.data ** (other - 1) * o.grad

        o._backward = _backward
        return o

    def tanh(self):
        x = self.data
        t = math.tanh(x)
        o = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * o.grad

        o._backward = _backward
        return o

    def relu(self):
        o = Value(0 if self.data < 0 else self.data, (self,), "relu")

        def _backward():
            self.grad += (o.data > 0) * o.grad

        o._backward = _backward
        return o

    def exp(self):
        x = self.data
        o = Value(math.exp(x), (self,), "exp")

        def _backward():
            self.grad += o.data * o.grad

        o._backward = _backward
        return o

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

    def __radd__(self, other):  # other + self
        return self + other

    def __sub__(self, other):  # self - other
        return self + (-other)

    def __rsub__(self, other):  # other - self
        return self - other

    def __rmul__(self, other):  # other * self
        return self * other

    def __truediv__(self, other):  # self / other
        return self * other**-1

    def __rtruediv__(self, other):  # other / self
        return other * self**-1
