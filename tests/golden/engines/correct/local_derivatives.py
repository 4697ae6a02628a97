"""Local derivatives are kept on the node; `_backward` is an ordinary method of the class."""


class Value:
    def __init__(self, data, _children=(), _op="", _slopes=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._slopes = _slopes

    def _backward(self):
        for child, slope in zip(self._prev, self._slopes):
            child.grad += slope * self.grad

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = wrap(other)
        return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other):
        other = wrap(other)
        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(f"{n!r} is no number")
        slope = n * self.data ** (n - 1) if n else 0.0
        return Value(self.data**n, (self,), f"**{n}", (slope,))

    def __neg__(self):
        return Value(-self.data, (self,), "neg", (-1.0,))

    def __sub__(self, other):
        other = wrap(other)
        return Value(self.data - other.data, (self, other), "-", (1.0, -1.0))

    def __truediv__(self, other):
        other = wrap(other)
        quotient = self.data / other.data
        return Value(quotient, (self, other), "/", (1 / other.data, -quotient / other.data))

    def __radd__(self, other):
        return wrap(other) + self

    def __rmul__(self, other):
        return wrap(other) * self

    def __rsub__(self, other):
        return wrap(other) - self

    def __rtruediv__(self, other):
        return wrap(other) / self

    def build_topo(self):
        order, seen = [], set()

        def visit(node):
            seen.add(node)
            for child in node._prev:
                if child not in seen:
                    visit(child)
            order.append(node)

        visit(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()


def wrap(thing):
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, (int, float)):
        return Value(thing)
    raise TypeError(f"{thing!r} is no number")
