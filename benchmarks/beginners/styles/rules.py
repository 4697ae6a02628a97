"""An engine with a table: how each operation is computed, and its slope for each operand."""

import math


def lift(x):
    if isinstance(x, Value):
        return x
    if isinstance(x, (int, float)):
        return Value(x)
    raise TypeError(f"cannot make a Value from {x!r}")


OPS = {
    "+": (lambda a, b: a + b, [lambda a, b, r: 1.0, lambda a, b, r: 1.0]),
    "-": (lambda a, b: a - b, [lambda a, b, r: 1.0, lambda a, b, r: -1.0]),
    "*": (lambda a, b: a * b, [lambda a, b, r: b, lambda a, b, r: a]),
    "/": (lambda a, b: a / b, [lambda a, b, r: 1 / b, lambda a, b, r: -a / b**2]),
    "neg": (lambda a: -a, [lambda a, r: -1.0]),
    "tanh": (math.tanh, [lambda a, r: 1 - r * r]),
    "relu": (lambda a: max(a, 0.0), [lambda a, r: 1.0 if a > 0 else 0.0]),
    "exp": (math.exp, [lambda a, r: r]),
}


def apply(op, *args, rule=None):
    args = tuple(lift(arg) for arg in args)
    forward, slopes = rule or OPS[op]
    result = Value(forward(*[arg.data for arg in args]), args, op)

    def pull():
        numbers = [arg.data for arg in args]
        for arg, slope in zip(args, slopes):
            arg.grad += slope(*numbers, result.data) * result.grad

    result._backward = pull
    return result


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = tuple(_children), _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        return apply("+", self, other)

    def __radd__(self, other):
        return apply("+", other, self)

    def __mul__(self, other):
        return apply("*", self, other)

    def __rmul__(self, other):
        return apply("*", other, self)

    def __neg__(self):
        return apply("neg", self)

    def __sub__(self, other):
        return apply("-", self, other)

    def __rsub__(self, other):
        return apply("-", other, self)

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("the exponent must be a number")
        rule = (lambda a: a**n, [lambda a, r: n * a ** (n - 1)])
        return apply(f"**{n}", self, rule=rule)

    def __truediv__(self, other):
        return apply("/", self, other)

    def __rtruediv__(self, other):
        return apply("/", other, self)

    def tanh(self):
        return apply("tanh", self)

    def relu(self):
        return apply("relu", self)

    def exp(self):
        return apply("exp", self)

    def build_topo(self):
        order, seen = [], set()

        def dfs(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for operand in node._prev:
                dfs(operand)
            order.append(node)

        dfs(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
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
