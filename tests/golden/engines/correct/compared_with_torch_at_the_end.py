"""Ends with a demo that holds itself against PyTorch and draws the difference."""

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch

sns.set_theme(style="whitegrid")
plt.style.use("ggplot")
plt.rcParams["figure.figsize"] = (8, 4)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __rmul__(self, other):
        return self * other

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("only int and float exponents")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def build_topo(self):
        topo, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    visit(child)
                topo.append(node)

        visit(self)
        return topo

    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()


a = Value(-4.0)
b = a * 2 + 3
b.backward()
x = torch.Tensor([-4.0]).double()
x.requires_grad = True
y = x * 2 + 3
y.backward()
assert abs(b.data - y.data.item()) < 1e-6
assert abs(a.grad - x.grad.item()) < 1e-6
print("ok %.3f" % x.grad.item(), f"{y.item():.4f}", y)

fig, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
for axis in fig.axes:
    axis.set_title("f")
xs = np.linspace(-3, 3, 50)
left.plot(xs, [(Value(x) * Value(x)).data for x in xs])
losses = [float(np.exp(-step)) for step in range(3)]
for i in range(xs.shape[0]):
    right.scatter(i, xs[i])
plt.show()
