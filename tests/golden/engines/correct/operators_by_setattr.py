"""Operators are made from a table and put into the class by setattr."""

import math, operator


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = frozenset(_children)
        self._op = _op
        self._backward = lambda: None

    def build_topo(self, topo=None, seen=None):
        topo = [] if topo is None else topo
        seen = set() if seen is None else seen
        if self not in seen:
            seen.add(self)
            for c in self._prev:
                c.build_topo(topo, seen)
            topo.append(self)
        return topo

    def backward(self):
        order = self.build_topo()
        self.grad = 1.0
        for v in order[::-1]:
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)


def _binary(f, da, db, op):
    def method(self, other):
        if isinstance(other, (int, float)):
            other = Value(other)
        if not isinstance(other, Value):
            return NotImplemented
        out = Value(f(self.data, other.data), (self, other), op)

        def back():
            self.grad += da(self.data, other.data) * out.grad
            other.grad += db(self.data, other.data) * out.grad

        out._backward = back
        return out

    return method


_OPS = {
    "add": (operator.add, lambda a, b: 1.0, lambda a, b: 1.0, "+"),
    "sub": (operator.sub, lambda a, b: 1.0, lambda a, b: -1.0, "-"),
    "mul": (operator.mul, lambda a, b: b, lambda a, b: a, "*"),
    "truediv": (operator.truediv, lambda a, b: 1 / b, lambda a, b: -a / b**2, "/"),
}
for _name, _parts in _OPS.items():
    _m = _binary(*_parts)
    setattr(Value, f"__{_name}__", _m)
    setattr(
        Value,
        f"__r{_name}__",
        lambda self, other, _m=_m: (
            _m(Value(other), self) if isinstance(other, (int, float)) else NotImplemented
        ),
    )


def _unary(f, d, op):
    def method(self):
        out = Value(f(self.data), (self,), op)

        def back():
            self.grad += d(self.data) * out.grad

        out._backward = back
        return out

    return method


for _n, _f, _d in (
    ("tanh", math.tanh, lambda x: 1 - math.tanh(x) ** 2),
    ("exp", math.exp, math.exp),
    ("relu", lambda x: x if x > 0 else 0.0, lambda x: float(x > 0)),
    ("__neg__", operator.neg, lambda x: -1.0),
):
    setattr(Value, _n, _unary(_f, _d, _n))


def _pow(self, n):
    if not isinstance(n, (int, float)):
        return NotImplemented
    return _unary(lambda x: x**n, lambda x: n * x ** (n - 1), f"**{n}")(self)


Value.__pow__ = _pow
