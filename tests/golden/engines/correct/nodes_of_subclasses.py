"""A result is an object of a subclass for its operation."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op

    def _backward(self):
        pass

    def __add__(self, o):
        return Sum(self, _v(o))

    def __mul__(self, o):
        return Product(self, _v(o))

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("exponent")
        return Power(self, n)

    def tanh(self):
        return Tanh(self)

    def exp(self):
        return Exp(self)

    def relu(self):
        return Relu(self)

    def build_topo(self):
        done, out = set(), []

        def f(v):
            if v in done:
                return
            done.add(v)
            for p in v._prev:
                f(p)
            out.append(v)

        f(self)
        return out

    def backward(self):
        self.grad = 1.0
        for v in reversed(self.build_topo()):
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


def _v(x):
    return x if isinstance(x, Value) else Value(x)


class Sum(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data, (a, b), "+")

    def _backward(self):
        for p in self._prev:
            p.grad += self.grad


class Product(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data, (a, b), "*")

    def _backward(self):
        a, b = self._prev
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Power(Value):
    def __init__(self, a, n):
        self.n = n
        super().__init__(a.data**n, (a,), f"**{n}")

    def _backward(self):
        self._prev[0].grad += self.n * self._prev[0].data ** (self.n - 1) * self.grad


class Tanh(Value):
    def __init__(self, a):
        super().__init__(math.tanh(a.data), (a,), "tanh")

    def _backward(self):
        self._prev[0].grad += (1 - self.data**2) * self.grad


class Exp(Value):
    def __init__(self, a):
        super().__init__(math.exp(a.data), (a,), "exp")

    def _backward(self):
        self._prev[0].grad += self.data * self.grad


class Relu(Value):
    def __init__(self, a):
        super().__init__(max(0.0, a.data), (a,), "relu")

    def _backward(self):
        self._prev[0].grad += (self.data > 0) * self.grad
