"""Functional: one `apply` makes every node from a function and its derivatives; operators are one line each."""

from functools import partial


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(_children), _op
        self._backward = partial(int)

    __repr__ = lambda self: f"Value(data={self.data}, grad={self.grad})"
    __add__ = lambda self, other: apply("+", lambda a, b: a + b, (one, one), self, other)
    __radd__ = lambda self, other: apply("+", lambda a, b: a + b, (one, one), other, self)
    __mul__ = lambda self, other: apply("*", lambda a, b: a * b, (second, first), self, other)
    __rmul__ = lambda self, other: apply("*", lambda a, b: a * b, (second, first), other, self)
    __sub__ = lambda self, other: apply("-", lambda a, b: a - b, (one, minus_one), self, other)
    __rsub__ = lambda self, other: apply("-", lambda a, b: a - b, (one, minus_one), other, self)
    __neg__ = lambda self: apply("neg", lambda a: -a, (minus_one,), self)
    __truediv__ = lambda self, other: apply("/", lambda a, b: a / b, over, self, other)
    __rtruediv__ = lambda self, other: apply("/", lambda a, b: a / b, over, other, self)

    def __pow__(self, n):
        if isinstance(n, Value) or not isinstance(n, (int, float)):
            raise TypeError("a plain number, please")
        return apply(f"**{n}", lambda a: a**n, (lambda a: n * a ** (n - 1),), self)

    def build_topo(self):
        return list(postorder(self, set()))

    def backward(self):
        nodes = self.build_topo()
        self.grad = 1.0
        for node in nodes[::-1]:
            node._backward()


def one(*_):
    return 1.0


def minus_one(*_):
    return -1.0


def first(a, b):
    return a


def second(a, b):
    return b


over = (lambda a, b: 1 / b, lambda a, b: -a / b**2)


def apply(op, function, slopes, *operands):
    operands = [operand if isinstance(operand, Value) else Value(operand) for operand in operands]
    numbers = [operand.data for operand in operands]
    out = Value(function(*numbers), operands, op)
    out._backward = partial(share, out, operands, slopes, numbers)
    return out


def share(out, operands, slopes, numbers):
    for operand, slope in zip(operands, slopes):
        operand.grad += slope(*numbers) * out.grad


def postorder(node, visited):
    if node not in visited:
        visited.add(node)
        for child in node._prev:
            yield from postorder(child, visited)
        yield node
