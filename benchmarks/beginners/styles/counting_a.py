from math import exp, tanh


def as_value(thing):
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, (int, float)):
        return Value(thing)
    raise TypeError(f"cannot calculate with {thing!r}")


class Value:
    """Subtraction and division are operations of their own; the order comes from counting uses."""

    def __init__(self, data, _children=(), _op=""):
        def nothing():
            return None

        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = nothing

    def _receive(self, share):
        self.grad = self.grad + share

    def __repr__(self):
        return "Value(data=" + repr(self.data) + ", grad=" + repr(self.grad) + ")"

    def __add__(self, other):
        right = as_value(other)
        result = Value(self.data + right.data, (self, right), "+")

        def pass_on():
            self._receive(result.grad)
            right._receive(result.grad)

        result._backward = pass_on
        return result

    def __radd__(self, other):
        return as_value(other) + self

    def __mul__(self, other):
        right = as_value(other)
        result = Value(self.data * right.data, (self, right), "*")

        def pass_on():
            self._receive(right.data * result.grad)
            right._receive(self.data * result.grad)

        result._backward = pass_on
        return result

    def __rmul__(self, other):
        return as_value(other) * self

    def __neg__(self):
        return as_value(0) - self

    def __sub__(self, other):
        right = as_value(other)
        result = Value(self.data - right.data, (self, right), "-")

        def pass_on():
            self._receive(result.grad)
            right._receive(-result.grad)

        result._backward = pass_on
        return result

    def __rsub__(self, other):
        return as_value(other) - self

    def __pow__(self, exponent):
        if isinstance(exponent, Value) or not isinstance(exponent, (int, float)):
            raise TypeError("exponent must be a plain number")
        result = Value(self.data**exponent, (self,), "**" + str(exponent))

        def pass_on():
            self._receive(result.grad * exponent * pow(self.data, exponent - 1))

        result._backward = pass_on
        return result

    def __truediv__(self, other):
        right = as_value(other)
        result = Value(self.data / right.data, (self, right), "/")

        def pass_on():
            self._receive(result.grad / right.data)
            right._receive(-result.grad * self.data / right.data**2)

        result._backward = pass_on
        return result

    def __rtruediv__(self, other):
        return as_value(other) / self

    def build_topo(self):
        uses, todo = {self: 0}, [self]
        while todo:
            for child in todo.pop()._prev:
                if child not in uses:
                    uses[child] = 0
                    todo.append(child)
                uses[child] += 1
        order, ready = [], [self]
        while ready:
            node = ready.pop()
            order.append(node)
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)
        order.reverse()
        return order

    def backward(self):
        todo = self.build_topo()
        self.grad = 1.0
        while todo:
            todo.pop()._backward()

    @staticmethod
    def predictions():
        keys = ["a after f", "a after s", "a with =", "s again", "a again", "a from both"]
        return dict(zip(keys, [1.0, 7.0, 3.0, 2.0, 20.0, 11.0]))

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0

    def tanh(self):
        result = Value(tanh(self.data), (self,), "tanh")

        def pass_on():
            self._receive((1 - result.data) * (1 + result.data) * result.grad)

        result._backward = pass_on
        return result

    def relu(self):
        positive = self.data > 0
        result = Value(self.data if positive else 0, (self,), "relu")

        def pass_on():
            if positive:
                self._receive(result.grad)

        result._backward = pass_on
        return result

    def exp(self):
        result = Value(exp(self.data), (self,), "exp")

        def pass_on():
            self._receive(result.grad * result.data)

        result._backward = pass_on
        return result
