import math


def lift(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    """Every result keeps pairs (operand, function that computes the slope); one helper does the rest."""

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = list(_children), _op
        self._backward = self._nothing

    def _nothing(self):
        pass

    @staticmethod
    def _result(data, op, *edges):
        out = Value(data, [operand for operand, _ in edges], op)

        def _backward():
            for operand, slope in edges:
                operand.grad += slope() * out.grad

        out._backward = _backward
        return out

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def __add__(self, other):
        other = lift(other)
        return Value._result(self.data + other.data, "+", (self, lambda: 1), (other, lambda: 1))

    def __radd__(self, number):
        return lift(number) + self

    def __mul__(self, other):
        other = lift(other)
        return Value._result(
            self.data * other.data, "*", (self, lambda: other.data), (other, lambda: self.data)
        )

    def __rmul__(self, number):
        return lift(number) * self

    def __neg__(self):
        return -1 * self

    def __sub__(self, other):
        return -lift(other) + self

    def __rsub__(self, number):
        return lift(number) - self

    def __pow__(self, exponent):
        n = exponent
        if isinstance(n, (int, float)):
            x = self
            return Value._result(x.data**n, f"**{n}", (x, lambda: n * x.data ** (n - 1)))
        raise TypeError("only numbers can be exponents")

    def __truediv__(self, other):
        return self * lift(other) ** -1.0

    def __rtruediv__(self, number):
        return lift(number) / self

    def build_topo(self):
        order, seen, path = [], {self}, [(self, iter(self._prev))]
        while path:
            node, rest = path[-1]
            for child in rest:
                if child not in seen:
                    seen.add(child)
                    path.append((child, iter(child._prev)))
                    break
            else:
                order.append(node)
                path.pop()
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    @staticmethod
    def predictions():
        answers = {"a after f": 1, "a after s": 1 + 3 + 3, "a with =": 3}
        answers["s again"] = 1 + 1
        answers["a again"] = 7 + 1 + 2 * 3 + 2 * 3
        answers["a from both"] = 7 + 4
        return answers

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        t = math.tanh(self.data)
        return Value._result(t, "tanh", (self, lambda: 1 - t * t))

    def relu(self):
        return Value._result(max(0.0, self.data), "relu", (self, lambda: int(self.data > 0)))

    def exp(self):
        e = math.exp(self.data)
        return Value._result(e, "exp", (self, lambda: e))
