"""A dataclass for the nodes; the backward steps are functions of the module, bound with partial."""

import math
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import Callable, List


def no_step() -> None:
    """The backward step of a leaf."""


@dataclass(eq=False)
class Value:
    data: float
    _children: InitVar[tuple] = ()
    _op: str = field(default="", repr=False)
    grad: float = 0.0
    _prev: List["Value"] = field(default_factory=list, repr=False)
    _backward: Callable[[], None] = field(default=no_step, repr=False)

    def __post_init__(self, _children):
        self._prev = list(_children)

    def __add__(self, other):
        other = as_node(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._backward = partial(add_step, self, other, out)
        return out

    def __mul__(self, other):
        other = as_node(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = partial(mul_step, self, other, out)
        return out

    def __pow__(self, n):
        if isinstance(n, bool) or not isinstance(n, (int, float)):
            raise TypeError(f"cannot raise to {n!r}")
        out = Value(self.data**n, (self,), f"**{n}")
        out._backward = partial(pow_step, self, n, out)
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_node(other)

    def __truediv__(self, other):
        return self * as_node(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return as_node(other) - self

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return as_node(other) / self

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        out._backward = partial(tanh_step, self, out)
        return out

    def relu(self):
        out = Value(max(self.data, 0.0), (self,), "relu")
        out._backward = partial(relu_step, self, out)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        out._backward = partial(exp_step, self, out)
        return out

    def build_topo(self):
        order = []
        visited = set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def as_node(x):
    return x if isinstance(x, Value) else Value(x)


def add_step(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def mul_step(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


def pow_step(a, n, out):
    a.grad += n * a.data ** (n - 1) * out.grad


def tanh_step(a, out):
    a.grad += (1 - out.data**2) * out.grad


def relu_step(a, out):
    if out.data > 0:
        a.grad += out.grad


def exp_step(a, out):
    a.grad += out.data * out.grad
