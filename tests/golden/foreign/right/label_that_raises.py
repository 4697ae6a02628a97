import math


class Value:
    """One attribute cannot be read before somebody has set it, and does not say so with an AttributeError."""

    def __init__(self, data, parents=()):
        self.data, self.parents, self.grad = data, parents, 0.0

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data + o.data, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data * o.data, ((self, o.data), (o, self.data)))

    def __pow__(self, n):
        return Value(self.data**n, ((self, n * self.data ** (n - 1)),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __rsub__(self, o):
        return -self + o

    def __truediv__(self, o):
        return self * o**-1

    def __rtruediv__(self, o):
        return self**-1 * o

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, ((self, 1 - t * t),))

    def order(self):
        found, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.parents:
                    visit(parent)
                found.append(node)

        visit(self)
        return found[::-1]

    def backward(self):
        order = self.order()
        self.grad = 1.0
        for node in order:
            for parent, slope in node.parents:
                parent.grad += slope * node.grad

    @property
    def label(self):
        raise RuntimeError("no label yet")
