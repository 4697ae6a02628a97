"""An engine of functions and variables: each variable has a generation and knows its creator."""

import math


class Function:
    name = ""

    def __call__(self, *inputs):
        self.inputs = [x if isinstance(x, Value) else Value(x) for x in inputs]
        y = self.forward(*[x.data for x in self.inputs])
        self.output = Value(y, self.inputs, self.name)
        self.output.set_creator(self)
        return self.output

    def numbers(self):
        return [x.data for x in self.inputs]


class Add(Function):
    name = "+"

    def forward(self, x0, x1):
        return x0 + x1

    def backward(self, gy):
        return gy, gy


class Sub(Function):
    name = "-"

    def forward(self, x0, x1):
        return x0 - x1

    def backward(self, gy):
        return gy, -gy


class Mul(Function):
    name = "*"

    def forward(self, x0, x1):
        return x0 * x1

    def backward(self, gy):
        x0, x1 = self.numbers()
        return gy * x1, gy * x0


class Div(Function):
    name = "/"

    def forward(self, x0, x1):
        return x0 / x1

    def backward(self, gy):
        x0, x1 = self.numbers()
        return gy / x1, -gy * x0 / x1**2


class Neg(Function):
    name = "neg"

    def forward(self, x):
        return -x

    def backward(self, gy):
        return (-gy,)


class Pow(Function):
    def __init__(self, c):
        self.c = c
        self.name = f"**{c}"

    def forward(self, x):
        return x**self.c

    def backward(self, gy):
        (x,) = self.numbers()
        return (self.c * x ** (self.c - 1) * gy,)


class Tanh(Function):
    name = "tanh"

    def forward(self, x):
        return math.tanh(x)

    def backward(self, gy):
        return (gy * (1 - self.output.data**2),)


class ReLU(Function):
    name = "relu"

    def forward(self, x):
        return max(x, 0.0)

    def backward(self, gy):
        (x,) = self.numbers()
        return (gy if x > 0 else 0.0,)


class Exp(Function):
    name = "exp"

    def forward(self, x):
        return math.exp(x)

    def backward(self, gy):
        return (gy * self.output.data,)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self.creator = None
        self.generation = 0

    def set_creator(self, func):
        self.creator = func
        self.generation = 1 + max(x.generation for x in func.inputs)

    def _backward(self):
        if self.creator is None:
            return
        gxs = self.creator.backward(self.grad)
        for x, gx in zip(self.creator.inputs, gxs):
            x.grad += gx

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        return Add()(self, other)

    def __radd__(self, other):
        return Add()(other, self)

    def __mul__(self, other):
        return Mul()(self, other)

    def __rmul__(self, other):
        return Mul()(other, self)

    def __neg__(self):
        return Neg()(self)

    def __sub__(self, other):
        return Sub()(self, other)

    def __rsub__(self, other):
        return Sub()(other, self)

    def __truediv__(self, other):
        return Div()(self, other)

    def __rtruediv__(self, other):
        return Div()(other, self)

    def __pow__(self, c):
        if not isinstance(c, (int, float)):
            raise TypeError("only int and float powers")
        return Pow(c)(self)

    def tanh(self):
        return Tanh()(self)

    def relu(self):
        return ReLU()(self)

    def exp(self):
        return Exp()(self)

    def build_topo(self):
        waiting, known, order = [], set(), []

        def add(v):
            if v not in known:
                known.add(v)
                waiting.append(v)
                waiting.sort(key=lambda v: v.generation)

        add(self)
        while waiting:
            v = waiting.pop()
            order.append(v)
            for x in v._prev:
                add(x)
        return order[::-1]

    def backward(self):
        self.grad = 1.0
        for v in reversed(self.build_topo()):
            v._backward()

    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 3,
            "s again": 2, "a again": 20, "a from both": 11,
        }  # fmt: skip

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0
