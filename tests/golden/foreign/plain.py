import math


class Base:
    def __init__(self, data, parents=()):
        self.data, self.parents, self.grad = data, parents, 0.0

    def make(self, data, parents):
        return type(self)(data, parents)

    def lift(self, x):
        return x if isinstance(x, Base) else self.make(x, ())

    def __add__(self, o):
        o = self.lift(o)
        return self.make(self.data + o.data, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        o = self.lift(o)
        return self.make(self.data * o.data, ((self, o.data), (o, self.data)))

    def __pow__(self, n):
        return self.make(self.data**n, ((self, n * self.data ** (n - 1)),))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -self.lift(o)

    def __rsub__(self, o):
        return self.lift(o) - self

    def __truediv__(self, o):
        return self * self.lift(o) ** -1

    def __rtruediv__(self, o):
        return self.lift(o) / self

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return self.make(t, ((self, 1 - t * t),))

    def relu(self):
        return self.make(max(self.data, 0.0), ((self, float(self.data > 0)),))

    def exp(self):
        e = math.exp(self.data)
        return self.make(e, ((self, e),))

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
