import math


def val(x):
    return x if isinstance(x, Value) else Value(x)


def make(number, name, inputs, shares):
    """New node; shares(g) returns one gradient per input if the node itself has gradient g."""
    node = Value(number, inputs, name)

    def back():
        for inp, share in zip(inputs, shares(node.grad)):
            inp.grad += share

    node._backward = back
    return node


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return "Value(data={}, grad={})".format(self.data, self.grad)

    def __add__(self, other):
        other = val(other)
        return make(self.data + other.data, "+", [self, other], lambda g: (g, g))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = val(other)
        return make(
            self.data * other.data,
            "*",
            [self, other],
            lambda g: (g * other.data, g * self.data),
        )

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return make(-self.data, "neg", [self], lambda g: [-g])

    def __sub__(self, other):
        other = val(other)
        return make(self.data - other.data, "-", [self, other], lambda g: (g, -g))

    def __rsub__(self, other):
        return val(other) - self

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("exponent: int or float please")
        return make(
            self.data**exponent,
            "**" + str(exponent),
            [self],
            lambda g: [g * exponent * self.data ** (exponent - 1)],
        )

    def __truediv__(self, other):
        other = val(other)
        return make(
            self.data / other.data,
            "/",
            [self, other],
            lambda g: (g / other.data, -g * self.data / other.data**2),
        )

    def __rtruediv__(self, other):
        return val(other) / self

    def build_topo(self):
        topo = []
        state = {}  # missing: new, 1: waiting for its operands, 2: in the list
        stack = [self]
        while stack:
            v = stack.pop()
            if v not in state:
                state[v] = 1
                stack.append(v)
                for w in v._prev:
                    if w not in state:
                        stack.append(w)
            elif state[v] == 1:
                state[v] = 2
                topo.append(v)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for i in range(len(topo) - 1, -1, -1):
            topo[i]._backward()

    @staticmethod
    def predictions():
        keys = ["a after f", "a after s", "a with =", "s again", "a again", "a from both"]
        return dict(zip(keys, [1, 7, 3, 2, 20, 11]))

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0

    def tanh(self):
        t = math.tanh(self.data)
        return make(t, "tanh", [self], lambda g: [g * (1 - t * t)])

    def relu(self):
        return make(
            self.data if self.data > 0 else 0.0,
            "relu",
            [self],
            lambda g: [g if self.data > 0 else 0.0],
        )

    def exp(self):
        e = math.exp(self.data)
        return make(e, "exp", [self], lambda g: [g * e])
