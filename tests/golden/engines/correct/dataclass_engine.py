"""A dataclass with `eq=False`, and a decorator that wraps plain numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps


def numbers_welcome(method):
    @wraps(method)
    def wrapped(self, other):
        return method(self, other if isinstance(other, Value) else Value(other))

    return wrapped


@dataclass(eq=False)
class Value:
    data: float
    _prev: tuple = field(default=(), repr=False)
    _op: str = field(default="", repr=False)
    grad: float = field(default=0.0, init=False)
    _backward: Callable = field(default_factory=lambda: lambda: None, init=False, repr=False)

    def _result(self, data, children, op, step):
        out = Value(data, children, op)
        out._backward = lambda: step(out.grad)
        return out

    @numbers_welcome
    def __add__(self, other):
        def step(grad):
            self.grad += grad
            other.grad += grad

        return self._result(self.data + other.data, (self, other), "+", step)

    @numbers_welcome
    def __mul__(self, other):
        def step(grad):
            self.grad += other.data * grad
            other.grad += self.data * grad

        return self._result(self.data * other.data, (self, other), "*", step)

    def __pow__(self, exponent):
        if type(exponent) not in (int, float):
            raise TypeError("an int or a float, please")

        def step(grad):
            self.grad += exponent * self.data ** (exponent - 1) * grad

        return self._result(self.data**exponent, (self,), f"**{exponent}", step)

    @numbers_welcome
    def __truediv__(self, other):
        return self * other**-1

    @numbers_welcome
    def __rtruediv__(self, other):
        return other / self

    @numbers_welcome
    def __sub__(self, other):
        return self + -other

    @numbers_welcome
    def __rsub__(self, other):
        return other - self

    def __neg__(self):
        return -1 * self

    __radd__ = __add__
    __rmul__ = __mul__

    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()
