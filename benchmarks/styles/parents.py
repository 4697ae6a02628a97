import math


class Value:
    """A scalar.

    Each value keeps a list of (parent, local gradient) pairs. The local gradients are plain numbers that are known as
    soon as the value is computed, so one backward rule does for all operations.
    """

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._parents = []

    @classmethod
    def _make(cls, data, op, *parents):
        out = cls(data, [p for p, _ in parents], op)
        out._parents = list(parents)
        return out

    def _backward(self):
        for parent, local_grad in self._parents:
            parent.grad += local_grad * self.grad

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        return Value._make(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    __radd__ = __add__

    def __mul__(self, other):
        other = as_value(other)
        return Value._make(self.data * other.data, "*", (self, other.data), (other, self.data))

    __rmul__ = __mul__

    def __neg__(self): return Value._make(-self.data, "neg", (self, -1.0))

    def __sub__(self, other):
        other = as_value(other)
        return Value._make(self.data - other.data, "-", (self, 1.0), (other, -1.0))

    def __rsub__(self, other): return as_value(other) - self

    def __truediv__(self, other):
        other = as_value(other)
        inv = 1 / other.data
        return Value._make(self.data * inv, "/", (self, inv), (other, -self.data * inv * inv))

    def __rtruediv__(self, other): return as_value(other) / self

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("power must be int or float")
        if k == 0:
            slope = 0.0
        elif self.data == 0 and k < 1:
            slope = math.inf
        else:
            slope = k * self.data ** (k - 1)
        return Value._make(self.data**k, f"**{k}", (self, slope))

    def tanh(self):
        t = math.tanh(self.data)
        return Value._make(t, "tanh", (self, 1 - t**2))

    def relu(self):
        on = self.data > 0
        return Value._make(self.data if on else 0.0, "relu", (self, 1.0 if on else 0.0))

    def exp(self):
        e = math.exp(self.data)
        return Value._make(e, "exp", (self, e))

    def build_topo(self):
        topo = []
        seen = set()
        def dfs(v):
            seen.add(v)
            for p in v._prev:
                if p not in seen:
                    dfs(p)
            topo.append(v)
        dfs(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        while topo:
            topo.pop()._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0


def as_value(x): return x if isinstance(x, Value) else Value(x)
