"""Value with Kahn's algorithm: a node may go once all that use it have gone."""

import math
from collections import deque


def _ensure(x):
    if isinstance(x, Value):
        return x
    return Value(x)


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
        other = _ensure(other)
        out = Value(self.data + other.data, (self, other), "+")
        def backprop():
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * out.grad
        out._backward = backprop
        return out

    def __mul__(self, other):
        other = _ensure(other)
        out = Value(self.data * other.data, (self, other), "*")
        def backprop():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = backprop
        return out

    def __pow__(self, p):
        if not isinstance(p, (int, float)):
            raise TypeError(f"cannot raise to {p!r}")
        out = Value(self.data**p, (self,), f"**{p}")
        def backprop():
            self.grad += (p * self.data ** (p - 1)) * out.grad
        out._backward = backprop
        return out

    def __neg__(self): return -1 * self
    def __sub__(self, other): return self + -_ensure(other)
    def __truediv__(self, other): return self * _ensure(other) ** -1
    def __radd__(self, other): return self + other
    def __rsub__(self, other): return _ensure(other) - self
    def __rmul__(self, other): return self * other
    def __rtruediv__(self, other): return _ensure(other) / self

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        def backprop():
            self.grad += (1 - out.data * out.data) * out.grad
        out._backward = backprop
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")
        def backprop():
            self.grad += out.grad if self.data > 0 else 0.0
        out._backward = backprop
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        def backprop():
            self.grad += out.data * out.grad
        out._backward = backprop
        return out

    def _results_first(self):
        # how many uses of each node lie between it and self?
        uses = {self: 0}
        queue = deque([self])
        while queue:
            node = queue.popleft()
            for child in node._prev:
                if child not in uses:
                    uses[child] = 0
                    queue.append(child)
                uses[child] += 1
        order = []
        ready = deque([self])
        while ready:
            node = ready.popleft()
            order.append(node)
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)
        return order

    def build_topo(self): return self._results_first()[::-1]

    def backward(self):
        self.grad = 1.0
        for node in self._results_first():
            node._backward()

    def zero_grad(self):
        for node in self._results_first():
            node.grad = 0.0
