"""Would take numpy's numbers, and sets numpy up at the top."""

from typing import Any, Union

import numpy as np
import numpy.typing as npt

np.random.seed(42)
np.set_printoptions(precision=4)
rng = np.random.default_rng(seed=0)
TWO_PI, DEGREES = 2 * np.pi, 180 / np.pi
Number = Union[int, float, np.floating, np.integer]
Array = npt.NDArray[np.float64]
NUMBERS = (int, float, np.number)

assert np.__version__ >= "1.20"


class Value:
    def __init__(self, data: Number, _children=(), _op="", dtype=np.float64):
        if type(data) == np.ndarray:
            data = data.item()
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        if isinstance(other.data, np.ndarray | np.generic):
            raise TypeError("no arrays")
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        if isinstance(other.data, np.ndarray | np.generic):
            raise TypeError("no arrays")
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __rmul__(self, other):
        return self * other

    def __pow__(self, exponent):
        if not isinstance(exponent, NUMBERS):
            raise TypeError("only int and float exponents")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

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
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()


def init(shape: tuple[int, ...], scale: float = np.sqrt(2.0)) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return rng.normal(0, scale, shape)
