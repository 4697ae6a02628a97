from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Callable


def _noop() -> None:
    return None


@dataclass(eq=False, repr=False)
class Value:
    data: float
    _children: tuple[Value, ...] = ()
    _op: str = ""
    grad: float = field(default_factory=float, init=False)
    _prev: list[Value] = field(init=False)
    _backward: Callable[[], None] = field(default=_noop, init=False)

    def __post_init__(self) -> None:
        self._prev = list(self._children)

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other: Value | float) -> Value:
        other = self.to_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Value | float) -> Value:
        other = self.to_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward() -> None:
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        out._backward = _backward
        return out

    def __truediv__(self, other: Value | float) -> Value:
        other = self.to_value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward() -> None:
            self.grad += out.grad / other.data
            other.grad += -out.grad * out.data / other.data

        out._backward = _backward
        return out

    def __pow__(self, exponent: float) -> Value:
        if not isinstance(exponent, (int, float)):
            raise TypeError(f"unsupported exponent {exponent!r}")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward() -> None:
            self.grad += out.grad * exponent * self.data ** (exponent - 1)

        out._backward = _backward
        return out

    def __neg__(self) -> Value:
        return self * -1.0

    def __sub__(self, other: Value | float) -> Value:
        return self + (-self.to_value(other))

    def __radd__(self, other: float) -> Value:
        return self.to_value(other) + self

    def __rsub__(self, other: float) -> Value:
        return self.to_value(other) - self

    def __rmul__(self, other: float) -> Value:
        return self.to_value(other) * self

    def __rtruediv__(self, other: float) -> Value:
        return self.to_value(other) / self

    def tanh(self) -> Value:
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward() -> None:
            self.grad += out.grad * (1.0 - out.data**2)

        out._backward = _backward
        return out

    def relu(self) -> Value:
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward() -> None:
            self.grad += out.grad * (1.0 if self.data > 0 else 0.0)

        out._backward = _backward
        return out

    def exp(self) -> Value:
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward() -> None:
            self.grad += out.grad * out.data

        out._backward = _backward
        return out

    @staticmethod
    def to_value(x: Value | float) -> Value:
        return x if isinstance(x, Value) else Value(x)

    def build_topo(self) -> list[Value]:
        topo: list[Value] = []
        visited: set[int] = set()

        def visit(node: Value) -> None:
            if id(node) not in visited:
                visited.add(id(node))
                for child in node._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo

    def backward(self) -> None:
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self) -> None:
        for node in self.build_topo():
            node.grad = 0.0
