"""No closures: `_backward` is a method that looks its operation up in a table. Nodes have slots, counts of uses give the order."""

from collections import deque

import numpy as np


def unbroadcast(gradient, shape):
    while len(gradient.shape) > len(shape):
        gradient = sum(gradient[row] for row in range(gradient.shape[0]))
    for axis in range(len(shape)):
        if shape[axis] == 1 and gradient.shape[axis] != 1:
            gradient = np.apply_over_axes(np.sum, gradient, axis)
    return gradient


def _sum_back(g, x, axis, keepdims):
    if axis is None:
        return [np.tile(np.reshape(g, (1,) * x.ndim), x.shape) if x.ndim else g]
    if not keepdims:
        g = np.expand_dims(g, axis)
    return [np.repeat(g, x.shape[axis], axis=axis)]


TABLE = {
    "+": (np.add, lambda g, x, y: (g, g)),
    "-": (np.subtract, lambda g, x, y: (g, -g)),
    "*": (np.multiply, lambda g, x, y: (g * y, g * x)),
    "/": (np.divide, lambda g, x, y: (g / y, -g * x / y**2)),
    "**": (np.power, lambda g, x, y: (g * y * np.power(x, y - 1), np.zeros_like(g))),
    "@": (np.matmul, lambda g, x, y: (np.matmul(g, np.swapaxes(y, 0, 1)), np.matmul(np.swapaxes(x, 0, 1), g))),
    "relu": (lambda x: np.where(x > 0, x, 0), lambda g, x: (g * (x > 0),)),
    "sum": (lambda x, axis, keepdims: np.sum(x, axis=axis, keepdims=keepdims), _sum_back),
}


class Tensor:
    __slots__ = ("data", "grad", "_prev", "_op", "_more", "_backward")
    __array_ufunc__ = None

    def __init__(self, data, _children=(), _op="", more=()):
        self.data = np.array(data, float)
        self.grad = self.data * 0.0
        self._prev = _children
        self._op = _op
        self._more = more
        self._backward = self.step

    def step(self):
        if self._op not in TABLE or not self._prev:
            return
        shares = TABLE[self._op][1](self.grad, *[child.data for child in self._prev], *self._more)
        for child, share in zip(self._prev, shares):
            child.grad = child.grad + unbroadcast(np.asarray(share), child.data.shape)

    @classmethod
    def make(cls, op, *operands, more=()):
        operands = tuple(operand if isinstance(operand, cls) else cls(operand) for operand in operands)
        return cls(TABLE[op][0](*[operand.data for operand in operands], *more), operands, op, more)

    def __add__(self, other):
        return self.make("+", self, other)

    def __radd__(self, other):
        return self.make("+", other, self)

    def __mul__(self, other):
        return self.make("*", self, other)

    def __rmul__(self, other):
        return self.make("*", other, self)

    def __neg__(self):
        return self.make("-", 0.0, self)

    def __sub__(self, other):
        return self.make("-", self, other)

    def __rsub__(self, other):
        return self.make("-", other, self)

    def __pow__(self, other):
        return self.make("**", self, float(other))

    def __truediv__(self, other):
        return self.make("/", self, other)

    def __rtruediv__(self, other):
        return self.make("/", other, self)

    def __matmul__(self, other):
        return self.make("@", self, other)

    def relu(self):
        return self.make("relu", self)

    def sum(self, axis=None, keepdims=False):
        return self.make("sum", self, more=(axis, keepdims))

    def backward(self):
        uses, todo, below = {self: 0}, [self], []
        while todo:
            node = todo.pop()
            below.append(node)
            for child in node._prev:
                if child not in uses:
                    uses[child] = 0
                    todo.append(child)
                uses[child] += 1
        self.grad = self.data * 0.0 + 1.0
        ready = deque([self])
        while ready:
            node = ready.popleft()
            node._backward()
            for child in node._prev:
                uses[child] -= 1
                if not uses[child]:
                    ready.append(child)
