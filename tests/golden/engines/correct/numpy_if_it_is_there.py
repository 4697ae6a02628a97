"""Goes without numpy if need be, and has a helper for which it must be there."""

import math
import sys

try:
    import numpy as np

    HAS_NUMPY = True
except ImportError:
    np = None
    HAS_NUMPY = False

try:
    from graphviz import Digraph
except ModuleNotFoundError:
    Digraph = None

try:
    import networkx as nx
except ImportError:
    sys.exit("pip install networkx")

exp = np.exp if HAS_NUMPY else math.exp


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = float(np.float64(data)) if HAS_NUMPY else data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
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
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __rmul__(self, other):
        return self * other

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
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


def graph(root):
    return nx.DiGraph([(id(child), id(node)) for node in root.build_topo() for child in node._prev])
