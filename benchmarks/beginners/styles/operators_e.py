"""Each operation is an object with a forward rule and a rule for the shares."""

import math


class Operation:
    def __init__(self, sign, compute, slopes):
        self.sign, self.compute, self.slopes = sign, compute, slopes

    def __call__(self, *operands):
        numbers = [operand.data for operand in operands]
        result = Value(self.compute(*numbers), operands, self.sign)

        def send():
            for operand, slope in zip(operands, self.slopes(*numbers)):
                operand.grad = operand.grad + slope * result.grad

        result._backward = send
        return result


def lift(thing):
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, (int, float)):
        return Value(thing)
    raise TypeError(f"{thing!r} is not a number")


add = Operation("+", lambda x, y: x + y, lambda x, y: (1.0, 1.0))
mul = Operation("*", lambda x, y: x * y, lambda x, y: (y, x))
neg = Operation("neg", lambda x: -x, lambda x: (-1.0,))
div = Operation("/", lambda x, y: x / y, lambda x, y: (1 / y, -x / y**2))


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    def __add__(self, other):
        return add(self, lift(other))

    def __radd__(self, other):
        return add(lift(other), self)

    def __mul__(self, other):
        return mul(self, lift(other))

    def __rmul__(self, other):
        return mul(lift(other), self)

    def __neg__(self):
        return neg(self)

    def __sub__(self, other):
        return add(self, neg(lift(other)))

    def __rsub__(self, other):
        return add(lift(other), neg(self))

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        power = Operation(
            f"**{exponent}",
            lambda x: x**exponent,
            lambda x: (exponent * x ** (exponent - 1),),
        )
        return power(self)

    def __truediv__(self, other):
        return div(self, lift(other))

    def __rtruediv__(self, other):
        return div(lift(other), self)

    def build_topo(self):
        done, order = set(), []

        def follow(node):
            if node in done:
                return
            done.add(node)
            for operand in node._prev:
                follow(operand)
            order.append(node)

        follow(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    @staticmethod
    def predictions():
        keys = ("a after f", "a after s", "a with =", "s again", "a again", "a from both")
        return dict(zip(keys, (1, 7, 3, 2, 20, 11)))

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        return Operation("tanh", math.tanh, lambda x: (1 - math.tanh(x) ** 2,))(self)

    def relu(self):
        return Operation("relu", lambda x: max(x, 0.0), lambda x: (float(x > 0),))(self)

    def exp(self):
        return Operation("exp", math.exp, lambda x: (math.exp(x),))(self)
