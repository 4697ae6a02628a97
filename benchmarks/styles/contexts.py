"""Forward and backward of each operation are static methods of a class; a context carries what backward needs."""

import math


class Context:
    def __init__(self):
        self.saved = ()

    def save_for_backward(self, *numbers):
        self.saved = numbers


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other): return apply(Add, self, other)
    def __radd__(self, other): return apply(Add, other, self)
    def __sub__(self, other): return apply(Sub, self, other)
    def __rsub__(self, other): return apply(Sub, other, self)
    def __mul__(self, other): return apply(Mul, self, other)
    def __rmul__(self, other): return apply(Mul, other, self)
    def __truediv__(self, other): return apply(Div, self, other)
    def __rtruediv__(self, other): return apply(Div, other, self)
    def __neg__(self): return apply(Neg, self)
    def tanh(self): return apply(Tanh, self)
    def relu(self): return apply(ReLU, self)
    def exp(self): return apply(Exp, self)

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("only numbers as exponents")
        return apply(Pow, self, exponent=exponent)

    def build_topo(self):
        topo, visited = [], set()

        def dfs(v):
            if v not in visited:
                visited.add(v)
                for u in v._prev:
                    dfs(u)
                topo.append(v)

        dfs(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def zero_grad(self):
        for v in self.build_topo():
            v.grad = 0.0


def apply(function, *operands, **options):
    ctx = Context()
    nodes = [x if isinstance(x, Value) else Value(x) for x in operands]
    data = function.forward(ctx, *(x.data for x in nodes), **options)
    out = Value(data, nodes, function.symbol + str(options.get("exponent", "")))

    def _backward():
        grads = function.backward(ctx, out.grad)
        for node, grad in zip(nodes, grads):
            node.grad += grad

    out._backward = _backward
    return out


class Add:
    symbol = "+"

    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output


class Sub:
    symbol = "-"

    @staticmethod
    def forward(ctx, x, y):
        return x - y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, -grad_output


class Mul:
    symbol = "*"

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved
        return y * grad_output, x * grad_output


class Div:
    symbol = "/"

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x / y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved
        return grad_output / y, -x / y**2 * grad_output


class Neg:
    symbol = "neg"

    @staticmethod
    def forward(ctx, x):
        return -x

    @staticmethod
    def backward(ctx, grad_output):
        return (-grad_output,)


class Pow:
    symbol = "**"

    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x, exponent)
        return x**exponent

    @staticmethod
    def backward(ctx, grad_output):
        x, n = ctx.saved
        return (n * x ** (n - 1) * grad_output,)


class Tanh:
    symbol = "tanh"

    @staticmethod
    def forward(ctx, x):
        result = math.tanh(x)
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved
        return ((1 - result * result) * grad_output,)


class ReLU:
    symbol = "relu"

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return max(0, x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved
        return (grad_output if x > 0 else 0.0,)


class Exp:
    symbol = "exp"

    @staticmethod
    def forward(ctx, x):
        result = math.exp(x)
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved
        return (result * grad_output,)
