"""Local derivatives are computed while the gradient goes back."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", locals_=None):
        self.data, self.grad, self._prev, self._op = data, 0.0, list(_children), _op
        self._locals = locals_ or (lambda: ())
        self._backward = self._send

    def _send(self):
        for child, slope in zip(self._prev, self._locals()):
            child.grad = child.grad + slope * self.grad

    def __add__(self, o):
        o = _(o)
        return Value(self.data + o.data, (self, o), "+", lambda: (1, 1))

    def __mul__(self, o):
        o = _(o)
        return Value(self.data * o.data, (self, o), "*", lambda: (o.data, self.data))

    def __pow__(self, n):
        if isinstance(n, Value) or isinstance(n, str):
            raise TypeError
        return Value(self.data**n, (self,), "**", lambda: (n * self.data ** (n - 1),))

    def tanh(self):
        return Value(
            math.tanh(self.data), (self,), "tanh", lambda: (1 / math.cosh(self.data) ** 2,)
        )

    def exp(self):
        return Value(math.exp(self.data), (self,), "exp", lambda: (math.exp(self.data),))

    def relu(self):
        return Value(self.data * (self.data > 0), (self,), "relu", lambda: (self.data > 0,))

    def build_topo(self):
        result, seen = [], {}

        def rec(n):
            if seen.setdefault(id(n), n) is n and not any(n is r for r in result):
                for c in n._prev:
                    rec(c)
                if not any(n is r for r in result):
                    result.append(n)

        rec(self)
        return result

    def backward(self):
        order = self.build_topo()
        self.grad = 1
        for n in order[::-1]:
            n._backward()

    def zero_grad(self):
        for n in self.build_topo():
            n.grad = 0

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


def _(x):
    return x if isinstance(x, Value) else Value(x)
