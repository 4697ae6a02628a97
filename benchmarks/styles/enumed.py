"""Operations are instances of a small class; a Value points to the one that made it."""

import math
from collections.abc import Callable
from typing import NamedTuple


class Operation(NamedTuple):
    symbol: str
    compute: Callable
    partials: Callable  # of the result and the operands' numbers; one for each operand


ADD = Operation("+", lambda a, b: a + b, lambda r, a, b: [1.0, 1.0])
MUL = Operation("*", lambda a, b: a * b, lambda r, a, b: [b, a])
INV = Operation("inv", lambda a: 1 / a, lambda r, a: [-r * r])
NEG = Operation("neg", lambda a: -a, lambda r, a: [-1.0])
TANH = Operation("tanh", math.tanh, lambda r, a: [1.0 - r**2])
RELU = Operation("relu", lambda a: a if a > 0 else 0.0, lambda r, a: [1.0 if a > 0 else 0.0])
EXP = Operation("exp", math.exp, lambda r, a: [r])


def power(n): return Operation(f"**{n}", lambda a: a**n, lambda r, a: [n * a ** (n - 1)])


class Value:
    def __init__(self, data, _children=(), _op="", operation=None):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self.operation = operation

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @classmethod
    def apply(cls, operation, *operands):
        operands = [x if isinstance(x, cls) else cls(x) for x in operands]
        data = operation.compute(*(x.data for x in operands))
        return cls(data, operands, operation.symbol, operation)

    def _backward(self):
        if self.operation is None:
            return
        numbers = [x.data for x in self._prev]
        for x, partial in zip(self._prev, self.operation.partials(self.data, *numbers)):
            x.grad += partial * self.grad

    def __add__(self, other): return Value.apply(ADD, self, other)
    def __radd__(self, other): return Value.apply(ADD, other, self)
    def __mul__(self, other): return Value.apply(MUL, self, other)
    def __rmul__(self, other): return Value.apply(MUL, other, self)
    def __neg__(self): return Value.apply(NEG, self)
    def __sub__(self, other): return Value.apply(ADD, self, Value.apply(NEG, other))
    def __rsub__(self, other): return Value.apply(ADD, other, Value.apply(NEG, self))
    def __truediv__(self, other): return Value.apply(MUL, self, Value.apply(INV, other))
    def __rtruediv__(self, other): return Value.apply(MUL, other, Value.apply(INV, self))

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("n is not a number")
        return Value.apply(power(n), self)

    def tanh(self): return Value.apply(TANH, self)
    def relu(self): return Value.apply(RELU, self)
    def exp(self): return Value.apply(EXP, self)

    def build_topo(self):
        topo = []
        state = {}
        stack = [self]
        while stack:
            node = stack[-1]
            if state.get(node) is None:
                state[node] = "open"
                stack.extend(x for x in node._prev if x not in state)
            else:
                stack.pop()
                if state[node] == "open":
                    state[node] = "closed"
                    topo.append(node)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
