import math


class Node:
    def __init__(self, val, inputs=(), grads=()):
        self.val, self.inputs, self.grads = val, inputs, grads
        self.grad = 0.0


def variable(x):
    return Node(float(x))


def add(a, b):
    return Node(a.val + b.val, (a, b), (1.0, 1.0))


def sub(a, b):
    return Node(a.val - b.val, (a, b), (1.0, -1.0))


def mul(a, b):
    return Node(a.val * b.val, (a, b), (b.val, a.val))


def div(a, b):
    return Node(a.val / b.val, (a, b), (1 / b.val, a.val / b.val**2))


def neg(a):
    return Node(-a.val, (a,), (-1.0,))


def power(a, n):
    return Node(a.val**n, (a,), (n * a.val ** (n - 1),))


def tanh(a):
    t = math.tanh(a.val)
    return Node(t, (a,), (1 - t * t,))


def relu(a):
    return Node(max(a.val, 0.0), (a,), (1.0 if a.val > 0 else 0.0,))


def exp(a):
    e = math.exp(a.val)
    return Node(e, (a,), (e,))


def backward(root):
    order, seen = [], set()

    def visit(n):
        if id(n) in seen:
            return
        seen.add(id(n))
        for i in n.inputs:
            visit(i)
        order.append(n)

    visit(root)
    root.grad = 1.0
    for n in reversed(order):
        for i, g in zip(n.inputs, n.grads):
            i.grad += g * n.grad
