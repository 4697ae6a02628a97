"""My engine. Each result knows which operand gets which factor."""

import math


def to_value(x):
    if isinstance(x, Value):
        return x
    if isinstance(x, (int, float)):
        return Value(x)
    raise TypeError(f"cannot calculate with {x!r}")


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    def _link(self, *shares):
        # shares are pairs (operand, function that returns the local derivative)
        def pass_on():
            for operand, derivative in shares:
                operand.grad += derivative() * self.grad

        self._backward = pass_on
        return self

    def __add__(self, other):
        other = to_value(other)
        total = Value(self.data + other.data, [self, other], "+")
        return total._link((self, lambda: 1), (other, lambda: 1))

    def __radd__(self, other):
        return to_value(other) + self

    def __mul__(self, other):
        other = to_value(other)
        product = Value(self.data * other.data, [self, other], "*")
        return product._link((self, lambda: other.data), (other, lambda: self.data))

    def __rmul__(self, other):
        return to_value(other) * self

    def __neg__(self):
        return Value(-1) * self

    def __sub__(self, other):
        return self + -to_value(other)

    def __rsub__(self, other):
        return to_value(other) - self

    def __pow__(self, exponent):
        if type(exponent) not in (int, float):
            raise TypeError("only plain numbers as exponents")
        n = exponent
        power = Value(self.data**n, [self], f"**{n}")
        return power._link((self, lambda: n * self.data ** (n - 1)))

    def __truediv__(self, other):
        return self * to_value(other) ** -1

    def __rtruediv__(self, other):
        return to_value(other) / self

    def build_topo(self):
        order = []
        seen = {self}
        path = [(self, iter(self._prev))]
        while path:
            node, operands = path[-1]
            for operand in operands:
                if operand not in seen:
                    seen.add(operand)
                    path.append((operand, iter(operand._prev)))
                    break
            else:
                order.append(node)
                path.pop()
        return order

    def backward(self):
        order = self.build_topo()
        self.grad = 1.0
        while order:
            order.pop()._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1,
            "a after s": 1 + 3 + 3,
            "a with =": 3,
            "s again": 2,
            "a again": 7 + 1 + 2 * 3 + 2 * 3,
            "a from both": 7 + 4,
        }

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        t = Value(math.tanh(self.data), [self], "tanh")
        return t._link((self, lambda: 1 - t.data * t.data))

    def relu(self):
        r = Value(max(self.data, 0.0), [self], "relu")
        return r._link((self, lambda: 1.0 if self.data > 0 else 0.0))

    def exp(self):
        e = Value(math.exp(self.data), [self], "exp")
        return e._link((self, lambda: e.data))
