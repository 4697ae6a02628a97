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

    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def __hash__(self):
        return hash(self.data)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        made = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += made.grad
            other.grad += made.grad

        made._backward = _backward
        return made

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        made = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * made.grad
            other.grad += self.data * made.grad

        made._backward = _backward
        return made

    def __pow__(self, other):
        if not isinstance(other, (int, float)):
            raise TypeError("only supporting int/float powers for now")
        made = Value(self.data**other, (self,), f"**{other}")

        def _backward():
            self.grad += other * self.data ** (other - 1) * made.grad

        made._backward = _backward
        return made

    def tanh(self):
        x = self.data
        t = math.tanh(x)
        made = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * made.grad

        made._backward = _backward
        return made

    def relu(self):
        made = Value(0 if self.data < 0 else self.data, (self,), "relu")

        def _backward():
            self.grad += (made.data > 0) * made.grad

        made._backward = _backward
        return made

    def exp(self):
        x = self.data
        made = Value(math.exp(x), (self,), "exp")

        def _backward():
            self.grad += made.data * made.grad

        made._backward = _backward
        return made

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
        return other + (-self)

    def __rmul__(self, other):  # other * self
        return self * other

    def __truediv__(self, other):  # self / other
        return self * other**-1

    def __rtruediv__(self, other):  # other / self
        return other * self**-1
