"""Autograd engine without closures: the backward steps are ordinary functions."""

from functools import partial
import math
from numbers import Real


def _noop():
    return None


def _add_back(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def _mul_back(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


def _pow_back(a, n, out):
    a.grad += n * pow(a.data, n - 1) * out.grad


def _tanh_back(a, out):
    a.grad += out.grad * (1 - out.data**2)


def _relu_back(a, out):
    a.grad += out.grad if a.data > 0 else 0


def _exp_back(a, out):
    a.grad += out.grad * out.data


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = tuple(_children), _op
        self._backward = _noop

    def __repr__(self):
        return f"{type(self).__name__}(data={self.data!r}, grad={self.grad!r})"

    @classmethod
    def _lift(cls, x):
        if not isinstance(x, (Real, cls)):
            raise TypeError(f"need a number or a Value, got {type(x).__name__}")
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other):
        other = self._lift(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._backward = partial(_add_back, self, other, out)
        return out

    def __radd__(self, other):
        return self.__add__(other)

    def __mul__(self, other):
        other = self._lift(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = partial(_mul_back, self, other, out)
        return out

    def __rmul__(self, other):
        return self.__mul__(other)

    def __neg__(self):
        return self.__mul__(-1.0)

    def __sub__(self, other):
        return self + self._lift(other).__neg__()

    def __rsub__(self, other):
        return self.__neg__() + other

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent has to be int or float")
        out = Value(pow(self.data, exponent), (self,), f"**{exponent}")
        out._backward = partial(_pow_back, self, exponent, out)
        return out

    def __truediv__(self, other):
        return self * pow(self._lift(other), -1)

    def __rtruediv__(self, other):
        return pow(self, -1) * other

    def build_topo(self):
        # Kahn: count how often every node is used, take the ones that nobody waits for any more
        uses, todo = {self: 0}, [self]
        while todo:
            for child in todo.pop()._prev:
                if child not in uses:
                    uses[child] = 0
                    todo.append(child)
                uses[child] += 1
        results_first, ready = [], [self]
        while ready:
            node = ready.pop()
            results_first.append(node)
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)
        return results_first[::-1]

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    @staticmethod
    def predictions():
        a = 3.0
        return dict(
            [
                ("a after f", 1.0),
                ("a after s", 1.0 + 2 * a),
                ("a with =", a),
                ("s again", 2.0),
                ("a again", (1.0 + 2 * a) + 1.0 + 2.0 * (2 * a)),
                ("a from both", 1.0 + 2 * a + 4.0),
            ]
        )

    def zero_grad(self):
        for node in self.build_topo():
            setattr(node, "grad", 0.0)

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        out._backward = partial(_tanh_back, self, out)
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")
        out._backward = partial(_relu_back, self, out)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        out._backward = partial(_exp_back, self, out)
        return out
