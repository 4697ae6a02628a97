"""Operators are functions of the module, put onto the class afterwards."""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = nothing

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


def nothing():
    return None


def as_value(number):
    return number if isinstance(number, Value) else Value(number)


def add(left, right):
    left, right = as_value(left), as_value(right)
    out = Value(left.data + right.data, (left, right), "+")

    def back(left=left, right=right, out=out):
        left.grad += out.grad
        right.grad += out.grad

    out._backward = back
    return out


def multiply(left, right):
    left, right = as_value(left), as_value(right)
    out = Value(left.data * right.data, (left, right), "*")

    def back(left=left, right=right, out=out):
        left.grad += right.data * out.grad
        right.grad += left.data * out.grad

    out._backward = back
    return out


def power(base, exponent):
    if not isinstance(exponent, (int, float)):
        raise TypeError("the exponent is a plain number")
    out = Value(base.data**exponent, [base], "**%s" % exponent)

    def back():
        base.grad += exponent * base.data ** (exponent - 1) * out.grad

    out._backward = back
    return out


def order(root):
    done, seen = [], []

    def visit(node):
        if node in seen:
            return
        seen.append(node)
        for child in node._prev:
            visit(child)
        done.append(node)

    visit(root)
    return done


def backward(root):
    root.grad = 1.0
    for node in order(root)[::-1]:
        node._backward()


Value.__add__ = add
Value.__radd__ = lambda self, other: add(other, self)
Value.__mul__ = multiply
Value.__rmul__ = lambda self, other: multiply(other, self)
Value.__neg__ = lambda self: multiply(self, -1)
Value.__sub__ = lambda self, other: add(self, multiply(other, -1))
Value.__rsub__ = lambda self, other: add(other, multiply(self, -1))
Value.__pow__ = power
Value.__truediv__ = lambda self, other: multiply(self, power(as_value(other), -1))
Value.__rtruediv__ = lambda self, other: multiply(other, power(self, -1))
Value.build_topo = order
Value.backward = backward
