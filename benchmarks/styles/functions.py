"""Autograd in the manner of torch.autograd.Function: one class for each operation."""

import math


class Function:
    """Remembers its inputs on the way forward, returns one gradient for each of them on the way back."""

    op = ""
    def __init__(self): self.saved = ()
    def save(self, *numbers): self.saved = numbers

    @classmethod
    def apply(cls, *inputs, **kwargs):
        fn = cls()
        inputs = [x if isinstance(x, Value) else Value(x) for x in inputs]
        data = fn.forward(*[x.data for x in inputs], **kwargs)
        out = Value(data, inputs, fn.op)
        def _backward():
            grads = fn.backward(out.grad)
            for x, g in zip(inputs, grads):
                x.grad += g
        out._backward = _backward
        return out


class Add(Function):
    op = "+"
    def forward(self, a, b): return a + b
    def backward(self, g): return g, g


class Mul(Function):
    op = "*"
    def forward(self, a, b):
        self.save(a, b)
        return a * b

    def backward(self, g):
        a, b = self.saved
        return g * b, g * a


class Sub(Function):
    op = "-"
    def forward(self, a, b): return a - b
    def backward(self, g): return g, -g


class Div(Function):
    op = "/"
    def forward(self, a, b):
        self.save(a, b)
        return a / b

    def backward(self, g):
        a, b = self.saved
        return g / b, -g * a / b**2


class Neg(Function):
    op = "neg"
    def forward(self, a): return -a
    def backward(self, g): return (-g,)


class Pow(Function):
    def forward(self, a, n):
        self.op = f"**{n}"
        self.save(a, n)
        return a**n

    def backward(self, g):
        a, n = self.saved
        return (g * n * a ** (n - 1),)


class Tanh(Function):
    op = "tanh"
    def forward(self, a):
        t = math.tanh(a)
        self.save(t)
        return t

    def backward(self, g):
        (t,) = self.saved
        return (g * (1 - t * t),)


class ReLU(Function):
    op = "relu"
    def forward(self, a):
        self.save(a)
        return a if a > 0 else 0.0

    def backward(self, g):
        (a,) = self.saved
        return (g if a > 0 else 0.0,)


class Exp(Function):
    op = "exp"
    def forward(self, a):
        e = math.exp(a)
        self.save(e)
        return e

    def backward(self, g):
        (e,) = self.saved
        return (g * e,)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other): return Add.apply(self, other)
    def __radd__(self, other): return Add.apply(other, self)
    def __mul__(self, other): return Mul.apply(self, other)
    def __rmul__(self, other): return Mul.apply(other, self)
    def __sub__(self, other): return Sub.apply(self, other)
    def __rsub__(self, other): return Sub.apply(other, self)
    def __truediv__(self, other): return Div.apply(self, other)
    def __rtruediv__(self, other): return Div.apply(other, self)
    def __neg__(self): return Neg.apply(self)

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(f"unsupported exponent: {n!r}")
        return Pow.apply(self, n=n)

    def tanh(self): return Tanh.apply(self)
    def relu(self): return ReLU.apply(self)
    def exp(self): return Exp.apply(self)

    def build_topo(self):
        topo = []
        visited = set()
        stack = [(self, iter(self._prev))]
        visited.add(self)
        while stack:
            node, children = stack[-1]
            for child in children:
                if child not in visited:
                    visited.add(child)
                    stack.append((child, iter(child._prev)))
                    break
            else:
                topo.append(node)
                stack.pop()
        return topo

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
