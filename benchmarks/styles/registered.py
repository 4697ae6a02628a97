"""Plain functions on numbers are made differentiable by decorators, as in autograd; Value only wraps them."""

import math
from collections import defaultdict
from functools import wraps

vjps = defaultdict(dict)  # of a function, by the position of its argument


def primitive(symbol):
    """Let a function of numbers take Values and return one."""

    def decorate(f):
        @wraps(f)
        def wrapper(*args):
            result = f(*(a.data if isinstance(a, Value) else a for a in args))
            label = symbol + str(args[1]) if symbol == "**" else symbol
            out = Value(result, [a for a in args if isinstance(a, Value)], label)
            out._recipe = (wrapper, args)
            return out

        return wrapper

    return decorate


def defvjp(f, argnum=0):
    """Register the decorated function as the derivative of f with respect to one argument, times g."""

    def register(vjp):
        vjps[f][argnum] = vjp
        return vjp

    return register


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._recipe = None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _backward(self):
        if self._recipe is None:
            return
        f, args = self._recipe
        numbers = [a.data if isinstance(a, Value) else a for a in args]
        for i, arg in enumerate(args):
            if isinstance(arg, Value):
                arg.grad += vjps[f][i](self.grad, self.data, *numbers)

    def __add__(self, other): return add(self, other)
    def __radd__(self, other): return add(other, self)
    def __sub__(self, other): return subtract(self, other)
    def __rsub__(self, other): return subtract(other, self)
    def __mul__(self, other): return multiply(self, other)
    def __rmul__(self, other): return multiply(other, self)
    def __truediv__(self, other): return divide(self, other)
    def __rtruediv__(self, other): return divide(other, self)
    def __neg__(self): return negative(self)
    def tanh(self): return tanh(self)
    def relu(self): return relu(self)
    def exp(self): return exp(self)

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError("the exponent must be a number")
        return power(self, n)

    def build_topo(self):
        order, seen = [], set()

        def walk(node):
            seen.add(id(node))
            for parent in node._prev:
                if id(parent) not in seen:
                    walk(parent)
            order.append(node)

        walk(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.build_topo()[::-1]:
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0


@primitive("+")
def add(x, y): return x + y


@primitive("-")
def subtract(x, y): return x - y


@primitive("*")
def multiply(x, y): return x * y


@primitive("/")
def divide(x, y): return x / y


@primitive("**")
def power(x, n): return x**n


@primitive("neg")
def negative(x): return -x


@primitive("tanh")
def tanh(x): return math.tanh(x)


@primitive("relu")
def relu(x): return x if x > 0 else 0.0


@primitive("exp")
def exp(x): return math.exp(x)


@defvjp(add, 0)
def add_x(g, ans, x, y): return g


@defvjp(add, 1)
def add_y(g, ans, x, y): return g


@defvjp(subtract, 0)
def subtract_x(g, ans, x, y): return g


@defvjp(subtract, 1)
def subtract_y(g, ans, x, y): return -g


@defvjp(multiply, 0)
def multiply_x(g, ans, x, y): return g * y


@defvjp(multiply, 1)
def multiply_y(g, ans, x, y): return g * x


@defvjp(divide, 0)
def divide_x(g, ans, x, y): return g / y


@defvjp(divide, 1)
def divide_y(g, ans, x, y): return -g * x / y**2


@defvjp(power)
def power_x(g, ans, x, n): return g * n * x ** (n - 1)


@defvjp(negative)
def negative_x(g, ans, x): return -g


@defvjp(tanh)
def tanh_x(g, ans, x): return g * (1 - ans**2)


@defvjp(relu)
def relu_x(g, ans, x): return g * (x > 0)


@defvjp(exp)
def exp_x(g, ans, x): return g * ans
