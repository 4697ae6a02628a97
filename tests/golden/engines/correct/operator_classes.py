"""An operator is a class with forward() and backward(), as in PyTorch."""

import math


class Function:
    def __init__(self, *inputs):
        self.inputs = inputs

    @classmethod
    def apply(cls, *args):
        f = cls(*[a if isinstance(a, Value) else Value(a) for a in args])
        out = Value(f.forward(*[i.data for i in f.inputs]), f.inputs, cls.__name__)
        out._ctx = f
        return out


class Add(Function):
    def forward(self, a, b):
        return a + b

    def backward(self, g):
        return g, g


class Mul(Function):
    def forward(self, a, b):
        return a * b

    def backward(self, g):
        a, b = self.inputs
        return b.data * g, a.data * g


class Pow(Function):
    def __init__(self, a, n):
        self.inputs = (a,)
        self.n = n

    @classmethod
    def apply(cls, a, n):
        f = cls(a, n)
        out = Value(a.data**n, (a,), "Pow")
        out._ctx = f
        return out

    def backward(self, g):
        return (self.n * self.inputs[0].data ** (self.n - 1) * g,)


class Tanh(Function):
    def forward(self, a):
        self.t = math.tanh(a)
        return self.t

    def backward(self, g):
        return ((1 - self.t**2) * g,)


class Exp(Function):
    def forward(self, a):
        self.e = math.exp(a)
        return self.e

    def backward(self, g):
        return (self.e * g,)


class ReLU(Function):
    def forward(self, a):
        return a if a > 0 else 0.0

    def backward(self, g):
        return (g if self.inputs[0].data > 0 else 0.0,)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._prev, self._op, self._ctx = data, 0.0, _children, _op, None

    def _backward(self):
        if self._ctx:
            for node, g in zip(self._ctx.inputs, self._ctx.backward(self.grad)):
                node.grad += g

    def __add__(self, o):
        return Add.apply(self, o)

    def __mul__(self, o):
        return Mul.apply(self, o)

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(n)
        return Pow.apply(self, n)

    def tanh(self):
        return Tanh.apply(self)

    def exp(self):
        return Exp.apply(self)

    def relu(self):
        return ReLU.apply(self)

    def build_topo(self):
        out, seen = [], set()

        def visit(v):
            if v in seen:
                return
            seen.add(v)
            for c in v._prev:
                visit(c)
            out.append(v)

        visit(self)
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
