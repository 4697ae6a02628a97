"""One _backward for all operations: it looks at the operation and decides."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _backward(self):
        g = self.grad
        match (self._op[:2], self._prev):
            case ("+", (a, b)):
                a.grad += g
                b.grad += g
            case ("-", (a, b)):
                a.grad += g
                b.grad -= g
            case ("*", (a, b)):
                a.grad += g * b.data
                b.grad += g * a.data
            case ("/", (a, b)):
                a.grad += g / b.data
                b.grad -= g * a.data / b.data**2
            case ("**", (a,)):
                n = float(self._op[2:])
                a.grad += g * n * a.data ** (n - 1)
            case ("ne", (a,)):
                a.grad -= g
            case ("ta", (a,)):
                a.grad += g * (1 - self.data**2)
            case ("re", (a,)):
                a.grad += g if a.data > 0 else 0.0
            case ("ex", (a,)):
                a.grad += g * self.data

    def _with(self, other, op, data): return Value(data, (self, other), op)

    def __add__(self, other):
        other = _value(other)
        return self._with(other, "+", self.data + other.data)

    def __sub__(self, other):
        other = _value(other)
        return self._with(other, "-", self.data - other.data)

    def __mul__(self, other):
        other = _value(other)
        return self._with(other, "*", self.data * other.data)

    def __truediv__(self, other):
        other = _value(other)
        return self._with(other, "/", self.data / other.data)

    def __radd__(self, other): return _value(other) + self
    def __rsub__(self, other): return _value(other) - self
    def __rmul__(self, other): return _value(other) * self
    def __rtruediv__(self, other): return _value(other) / self

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(f"power with {type(n).__name__}")
        return Value(self.data**n, (self,), f"**{n}")

    def __neg__(self): return Value(-self.data, (self,), "neg")
    def tanh(self): return Value(math.tanh(self.data), (self,), "tanh")
    def relu(self): return Value(max(0.0, self.data), (self,), "relu")
    def exp(self): return Value(math.exp(self.data), (self,), "exp")

    def build_topo(self):
        topo = []
        visited = set()
        def visit(node):
            if id(node) not in visited:
                visited.add(id(node))
                for child in node._prev:
                    visit(child)
                topo.append(node)
        visit(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def _value(x): return x if isinstance(x, Value) else Value(x)
