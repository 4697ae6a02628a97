import math


class Tensor:
    """Other names for everything, and gradients that begin as None."""

    def __init__(self, value, parents=()):
        self.value = value
        self.gradient = None
        self.parents = parents  # pairs (node, local derivative)

    @staticmethod
    def lift(x):
        return x if isinstance(x, Tensor) else Tensor(x)

    def __add__(self, o):
        o = Tensor.lift(o)
        return Tensor(self.value + o.value, ((self, 1.0), (o, 1.0)))

    __radd__ = __add__

    def __mul__(self, o):
        o = Tensor.lift(o)
        return Tensor(self.value * o.value, ((self, o.value), (o, self.value)))

    __rmul__ = __mul__

    def __neg__(self):
        return Tensor(-self.value, ((self, -1.0),))

    def __sub__(self, o):
        return self + -Tensor.lift(o)

    def __rsub__(self, o):
        return Tensor.lift(o) - self

    def __truediv__(self, o):
        o = Tensor.lift(o)
        return Tensor(self.value / o.value, ((self, 1 / o.value), (o, -self.value / o.value**2)))

    def __rtruediv__(self, o):
        return Tensor.lift(o) / self

    def __pow__(self, n):
        return Tensor(self.value**n, ((self, n * self.value ** (n - 1)),))

    def Tanh(self):
        t = math.tanh(self.value)
        return Tensor(t, ((self, 1 - t * t),))

    def ReLU(self):
        return Tensor(max(self.value, 0.0), ((self, float(self.value > 0)),))

    def exponential(self):
        e = math.exp(self.value)
        return Tensor(e, ((self, e),))

    def order(self):
        found, seen, stack = [], set(), [(self, iter(self.parents))]
        seen.add(id(self))
        while stack:
            node, rest = stack[-1]
            for parent, _ in rest:
                if id(parent) not in seen:
                    seen.add(id(parent))
                    stack.append((parent, iter(parent.parents)))
                    break
            else:
                stack.pop()
                found.append(node)
        return found

    def backprop(self):
        self.gradient = 1.0
        for node in reversed(self.order()):
            for parent, slope in node.parents:
                parent.gradient = (parent.gradient or 0.0) + slope * node.gradient
