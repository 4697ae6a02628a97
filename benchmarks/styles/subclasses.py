"""Every operation is a kind of Value and overrides _backward."""

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
        """A leaf passes nothing on."""

    def __add__(self, other): return Sum(self, wrap(other))
    def __radd__(self, other): return Sum(wrap(other), self)
    def __mul__(self, other): return Product(self, wrap(other))
    def __rmul__(self, other): return Product(wrap(other), self)
    def __neg__(self): return Negative(self)
    def __sub__(self, other): return Sum(self, Negative(wrap(other)))
    def __rsub__(self, other): return Sum(wrap(other), Negative(self))
    def __truediv__(self, other): return Quotient(self, wrap(other))
    def __rtruediv__(self, other): return Quotient(wrap(other), self)

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent must be a number")
        return Power(self, exponent)

    def tanh(self): return Tanh(self)
    def relu(self): return Relu(self)
    def exp(self): return Exp(self)

    def build_topo(self):
        topo, visited = [], set()
        def visit(node):
            if node in visited:
                return
            visited.add(node)
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


class Sum(Value):
    def __init__(self, left, right):
        super().__init__(left.data + right.data, (left, right), "+")
        self.left, self.right = left, right

    def _backward(self):
        self.left.grad += self.grad
        self.right.grad += self.grad


class Product(Value):
    def __init__(self, left, right):
        super().__init__(left.data * right.data, (left, right), "*")
        self.left, self.right = left, right

    def _backward(self):
        self.left.grad += self.right.data * self.grad
        self.right.grad += self.left.data * self.grad


class Quotient(Value):
    def __init__(self, top, bottom):
        super().__init__(top.data / bottom.data, (top, bottom), "/")
        self.top, self.bottom = top, bottom

    def _backward(self):
        self.top.grad += self.grad / self.bottom.data
        self.bottom.grad -= self.grad * self.top.data / self.bottom.data**2


class Negative(Value):
    def __init__(self, operand):
        super().__init__(-operand.data, (operand,), "neg")
        self.operand = operand

    def _backward(self): self.operand.grad -= self.grad


class Power(Value):
    def __init__(self, base, exponent):
        super().__init__(base.data**exponent, (base,), f"**{exponent}")
        self.base, self.exponent = base, exponent

    def _backward(self):
        self.base.grad += self.exponent * self.base.data ** (self.exponent - 1) * self.grad


class Tanh(Value):
    def __init__(self, operand):
        super().__init__(math.tanh(operand.data), (operand,), "tanh")
        self.operand = operand

    def _backward(self): self.operand.grad += (1 - self.data**2) * self.grad


class Relu(Value):
    def __init__(self, operand):
        super().__init__(max(0.0, operand.data), (operand,), "relu")
        self.operand = operand

    def _backward(self):
        if self.operand.data > 0:
            self.operand.grad += self.grad


class Exp(Value):
    def __init__(self, operand):
        super().__init__(math.exp(operand.data), (operand,), "exp")
        self.operand = operand

    def _backward(self): self.operand.grad += self.data * self.grad


def wrap(x): return x if isinstance(x, Value) else Value(x)
