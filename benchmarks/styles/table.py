"""Autograd with a table: every operation and its derivatives in one place."""

import math

# How much the result changes with each operand.
# x and y are the operands, z is the result.
SLOPES = {
    "+": lambda x, y, z: (1.0, 1.0),
    "-": lambda x, y, z: (1.0, -1.0),
    "*": lambda x, y, z: (y, x),
    "/": lambda x, y, z: (1.0 / y, -x / (y * y)),
    "neg": lambda x, z: (-1.0,),
    "tanh": lambda x, z: (1.0 - z * z,),
    "relu": lambda x, z: (1.0 if x > 0 else 0.0,),
    "exp": lambda x, z: (z,),
}


def power_slope(x, n): return n * x ** (n - 1)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._exponent = None

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def slopes(self):
        if self._exponent is not None:
            return (power_slope(self._prev[0].data, self._exponent),)
        numbers = [child.data for child in self._prev]
        return SLOPES[self._op](*numbers, self.data)

    def _backward(self):
        if not self._prev:
            return
        for child, slope in zip(self._prev, self.slopes()):
            child.grad += slope * self.grad

    # ---- operators

    @staticmethod
    def wrap(x): return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.wrap(other)
        return Value(self.data + other.data, (self, other), "+")

    def __sub__(self, other):
        other = Value.wrap(other)
        return Value(self.data - other.data, (self, other), "-")

    def __mul__(self, other):
        other = Value.wrap(other)
        return Value(self.data * other.data, (self, other), "*")

    def __truediv__(self, other):
        other = Value.wrap(other)
        return Value(self.data / other.data, (self, other), "/")

    def __radd__(self, other): return Value.wrap(other) + self
    def __rsub__(self, other): return Value.wrap(other) - self
    def __rmul__(self, other): return Value.wrap(other) * self
    def __rtruediv__(self, other): return Value.wrap(other) / self
    def __neg__(self): return Value(-self.data, (self,), "neg")

    def __pow__(self, n):
        if isinstance(n, bool) or not isinstance(n, (int, float)):
            raise TypeError("exponent must be a plain number")
        result = Value(self.data**n, (self,), "**" + str(n))
        result._exponent = n
        return result

    def tanh(self): return Value(math.tanh(self.data), (self,), "tanh")
    def relu(self): return Value(max(self.data, 0.0), (self,), "relu")
    def exp(self): return Value(math.exp(self.data), (self,), "exp")

    # ---- backward pass

    def build_topo(self):
        order, seen = [], set()
        def walk(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for child in node._prev:
                walk(child)
            order.append(node)
        walk(self)
        return order

    def backward(self):
        order = self.build_topo()
        order.reverse()
        self.grad = 1.0
        for node in order:
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
