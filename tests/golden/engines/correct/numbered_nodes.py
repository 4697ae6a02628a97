"""Every Value has a serial number; the order is that of their making."""

import itertools

serial = itertools.count()


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        self._number = next(serial)

    def __repr__(self):
        return "Value(data=" + str(self.data) + ", grad=" + str(self.grad) + ")"

    @staticmethod
    def of(thing):
        return thing if isinstance(thing, Value) else Value(thing)

    def __add__(self, other):
        other = Value.of(other)
        out = Value(self.data + other.data, {self, other}, "+")

        def step():
            for operand in (self, other):
                operand.grad = operand.grad + out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = Value.of(other)
        out = Value(self.data * other.data, {self, other}, "*")

        def step():
            for operand, factor in ((self, other), (other, self)):
                operand.grad = operand.grad + factor.data * out.grad

        out._backward = step
        return out

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            return NotImplemented
        out = Value(self.data**exponent, {self}, "**" + str(exponent))

        def step():
            self.grad = self.grad + exponent * self.data ** (exponent - 1) * out.grad

        out._backward = step
        return out

    def __neg__(self):
        return 0 - self

    def __sub__(self, other):
        return self + Value.of(other) * -1

    def __truediv__(self, other):
        return self * Value.of(other) ** -1

    def __radd__(self, other):
        return Value.of(other) + self

    def __rmul__(self, other):
        return Value.of(other) * self

    def __rsub__(self, other):
        return Value.of(other) - self

    def __rtruediv__(self, other):
        return Value.of(other) / self

    def build_topo(self):
        found, todo = {self}, [self]
        while todo:
            for child in todo.pop()._prev - found:
                found.add(child)
                todo.append(child)
        return sorted(found, key=lambda node: node._number)

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            if node.grad:
                node._backward()
