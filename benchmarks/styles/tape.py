"""A tape: every value gets a serial number when it is made. Operands are always older than results."""

import itertools
import math

_serial = itertools.count()


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None
        self._time = next(_serial)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    # basic operations

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data + other.data, [self, other], "+")
        def back():
            g = result.grad
            self.grad += g
            other.grad += g
        result._backward = back
        return result

    def __sub__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data - other.data, [self, other], "-")
        def back():
            g = result.grad
            self.grad += g
            other.grad -= g
        result._backward = back
        return result

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data * other.data, [self, other], "*")
        def back():
            g = result.grad
            self.grad += g * other.data
            other.grad += g * self.data
        result._backward = back
        return result

    def __truediv__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data / other.data, [self, other], "/")
        def back():
            g = result.grad
            self.grad += g / other.data
            other.grad -= g * self.data / other.data**2
        result._backward = back
        return result

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("the exponent must be a number")
        result = Value(self.data**n, [self], f"**{n}")
        def back():
            self.grad += result.grad * n * self.data ** (n - 1)
        result._backward = back
        return result

    def __neg__(self): return 0 - self
    def __radd__(self, other): return Value(other) + self
    def __rsub__(self, other): return Value(other) - self
    def __rmul__(self, other): return Value(other) * self
    def __rtruediv__(self, other): return Value(other) / self

    # functions

    def tanh(self):
        result = Value(math.tanh(self.data), [self], "tanh")
        def back():
            self.grad += result.grad * (1 - result.data**2)
        result._backward = back
        return result

    def relu(self):
        result = Value(self.data if self.data > 0 else 0, [self], "relu")
        def back():
            if self.data > 0:
                self.grad += result.grad
        result._backward = back
        return result

    def exp(self):
        result = Value(math.exp(self.data), [self], "exp")
        def back():
            self.grad += result.grad * result.data
        result._backward = back
        return result

    # backward

    def build_topo(self):
        reached = {self}
        todo = [self]
        while todo:
            for child in todo.pop()._prev:
                if child not in reached:
                    reached.add(child)
                    todo.append(child)
        return sorted(reached, key=lambda v: v._time)

    def backward(self):
        self.grad = 1.0
        for v in reversed(self.build_topo()):
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0
