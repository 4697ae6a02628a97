from math import exp as _exp
from math import tanh as _tanh


class Value:
    """A scalar variable that keeps track of how it was computed."""

    __slots__ = ("data", "grad", "_prev", "_op", "_backward", "__weakref__")

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = _nothing

    def __repr__(self):
        return f"Value(data={self.data!r}, grad={self.grad!r})"

    def _accumulate(self, amount): self.grad += amount

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self._accumulate(out.grad)
            other._accumulate(out.grad)
        out._backward = _backward
        return out

    def __neg__(self):
        out = Value(-self.data, (self,), "neg")
        def _backward():
            self._accumulate(-out.grad)
        out._backward = _backward
        return out

    def __sub__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return self + (-other)

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self._accumulate(out.grad * other.data)
            other._accumulate(out.grad * self.data)
        out._backward = _backward
        return out

    def _reciprocal(self):
        out = Value(1.0 / self.data, (self,), "1/")
        def _backward():
            self._accumulate(-out.grad * out.data**2)
        out._backward = _backward
        return out

    def __truediv__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return self * other._reciprocal()

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent has to be a plain number")
        out = Value(self.data**exponent, (self,), f"**{exponent}")
        def _backward():
            self._accumulate(out.grad * exponent * self.data ** (exponent - 1))
        out._backward = _backward
        return out

    def __radd__(self, other): return self + other
    def __rsub__(self, other): return -self + other
    def __rmul__(self, other): return self * other
    def __rtruediv__(self, other): return self._reciprocal() * other

    def tanh(self):
        out = Value(_tanh(self.data), (self,), "tanh")
        def _backward():
            self._accumulate(out.grad * (1 - out.data * out.data))
        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data * (self.data > 0), (self,), "relu")
        def _backward():
            self._accumulate(out.grad * (self.data > 0))
        out._backward = _backward
        return out

    def exp(self):
        out = Value(_exp(self.data), (self,), "exp")
        def _backward():
            self._accumulate(out.grad * out.data)
        out._backward = _backward
        return out

    def build_topo(self):
        topo, done, stack = [], set(), [self]
        while stack:
            node = stack[-1]
            waiting = [child for child in node._prev if child not in done]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                if node not in done:
                    done.add(node)
                    topo.append(node)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in topo[::-1]:
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def _nothing(): pass
