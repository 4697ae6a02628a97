"""Scalar autograd. Operands are kept in a tuple; the order comes from counting users."""

from math import exp, tanh


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = tuple(_children), _op
        self._backward = self._nothing

    @staticmethod
    def _nothing():
        pass

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @classmethod
    def of(cls, x):
        if isinstance(x, cls):
            return x
        return cls(x)

    def __add__(self, other):
        left, right = self, Value.of(other)
        total = Value(left.data + right.data, (left, right), "+")

        def pull():
            left.grad += total.grad
            right.grad += total.grad

        total._backward = pull
        return total

    __radd__ = __add__

    def __mul__(self, other):
        left, right = self, Value.of(other)
        product = Value(left.data * right.data, (left, right), "*")

        def pull():
            left.grad += right.data * product.grad
            right.grad += left.data * product.grad

        product._backward = pull
        return product

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + Value.of(other) * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent: int or float")
        power = Value(self.data**exponent, (self,), "**" + str(exponent))

        def pull():
            self.grad += power.grad * exponent * self.data ** (exponent - 1)

        power._backward = pull
        return power

    def __truediv__(self, other):
        return self * Value.of(other) ** -1

    def __rtruediv__(self, other):
        return self**-1 * other

    def build_topo(self):
        users, todo = {self: 0}, [self]
        while todo:
            for child in todo.pop()._prev:
                if child not in users:
                    users[child] = 0
                    todo.append(child)
                users[child] += 1
        results_first, ready = [], [self]
        while ready:
            node = ready.pop()
            results_first.append(node)
            for child in node._prev:
                users[child] -= 1
                if users[child] == 0:
                    ready.append(child)
        return results_first[::-1]

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.build_topo()):
            node._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1.0,
            "a after s": 7.0,
            "a with =": 3.0,
            "s again": 2.0,
            "a again": 20.0,
            "a from both": 11.0,
        }

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        out = Value(tanh(self.data), (self,), "tanh")

        def pull():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = pull
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def pull():
            if self.data > 0:
                self.grad += out.grad

        out._backward = pull
        return out

    def exp(self):
        out = Value(exp(self.data), (self,), "exp")

        def pull():
            self.grad += out.data * out.grad

        out._backward = pull
        return out
