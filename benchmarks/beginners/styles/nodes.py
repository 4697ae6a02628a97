"""An engine with a class for each operation; its method `_backward` is the step."""

import math
from dataclasses import dataclass, field


@dataclass(eq=False, repr=False)
class Value:
    data: float
    _children: tuple = ()
    _op: str = ""
    grad: float = field(default=0.0, init=False)

    def __post_init__(self):
        self._prev = tuple(self._children)

    def _backward(self):
        pass

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        return Add(self, as_value(other))

    __radd__ = __add__

    def __mul__(self, other):
        return Mul(self, as_value(other))

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __rsub__(self, other):
        return as_value(other) - self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("only numbers as exponents")
        return Pow(self, exponent)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __rtruediv__(self, other):
        return as_value(other) / self

    def tanh(self):
        return Tanh(self)

    def relu(self):
        return Relu(self)

    def exp(self):
        return Exp(self)

    def build_topo(self):
        topo, seen, stack = [], set(), [(self, iter(self._prev))]
        seen.add(self)
        while stack:
            node, operands = stack[-1]
            child = next((one for one in operands if one not in seen), None)
            if child is None:
                topo.append(node)
                stack.pop()
            else:
                seen.add(child)
                stack.append((child, iter(child._prev)))
        return topo

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Add(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data, (a, b), "+")

    def _backward(self):
        for operand in self._prev:
            operand.grad += self.grad


class Mul(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data, (a, b), "*")

    def _backward(self):
        a, b = self._prev
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Pow(Value):
    def __init__(self, base, exponent):
        super().__init__(base.data**exponent, (base,), f"**{exponent}")
        self.base = base
        self.exponent = exponent

    def _backward(self):
        slope = self.exponent * self.base.data ** (self.exponent - 1)
        self.base.grad += slope * self.grad


class Tanh(Value):
    def __init__(self, x):
        super().__init__(math.tanh(x.data), (x,), "tanh")

    def _backward(self):
        (x,) = self._prev
        x.grad += (1 - self.data**2) * self.grad


class Relu(Value):
    def __init__(self, x):
        super().__init__(max(0.0, x.data), (x,), "relu")

    def _backward(self):
        (x,) = self._prev
        if x.data > 0:
            x.grad += self.grad


class Exp(Value):
    def __init__(self, x):
        super().__init__(math.exp(x.data), (x,), "exp")

    def _backward(self):
        (x,) = self._prev
        x.grad += self.data * self.grad
