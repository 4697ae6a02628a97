"""What has no axis is a plain float, data and gradient alike; operands in a list; the closures of the literature."""

import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    axes = tuple(axis for axis, size in enumerate(padded) if size == 1)
    result = gradient.sum(axis=axes, keepdims=True).reshape(shape)
    return result if shape else float(result)


class Tensor(object):
    __array_priority__ = 1000

    def __init__(self, data, _children=(), _op=""):
        data = np.array(data, dtype=np.float64)
        self.data = data if data.ndim else float(data)
        self.grad = np.zeros(data.shape) if data.ndim else 0.0
        self._prev, self._op, self._backward = list(_children), _op, self._nothing

    def _nothing(self):
        pass

    @property
    def shape(self):
        return np.shape(self.data)

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, [self, other], "+")

        def _backward():
            self.grad += unbroadcast(out.grad, self.shape)
            other.grad += unbroadcast(out.grad, other.shape)

        out._backward = _backward
        return out

    def __radd__(self, other):
        return Tensor(other) + self

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, [self, other], "*")

        def _backward():
            self.grad += unbroadcast(out.grad * other.data, self.shape)
            other.grad += unbroadcast(out.grad * self.data, other.shape)

        out._backward = _backward
        return out

    def __rmul__(self, other):
        return Tensor(other) * self

    def __neg__(self):
        return Tensor(-1) * self

    def __sub__(self, other):
        return self + (other if isinstance(other, Tensor) else Tensor(other)) * -1.0

    def __rsub__(self, other):
        return Tensor(other) - self

    def __pow__(self, exponent):
        out = Tensor(self.data**exponent, [self], "pow")

        def _backward():
            self.grad += out.grad * (exponent * self.data ** (exponent - 1))

        out._backward = _backward
        return out

    def __truediv__(self, other):
        return self * (other if isinstance(other, Tensor) else Tensor(other)) ** -1

    def __rtruediv__(self, other):
        return Tensor(other) / self

    def __matmul__(self, other):
        out = Tensor(self.data.dot(other.data), [self, other], "@")

        def _backward():
            self.grad += out.grad.dot(other.data.transpose())
            other.grad += (out.grad.T.dot(self.data)).T

        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        out = Tensor(np.sum(self.data, axis=axis, keepdims=keepdims), [self], "sum")

        def _backward():
            g = out.grad
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            if self.shape:
                self.grad += np.ones_like(self.data) * g
            else:
                self.grad += float(g)

        out._backward = _backward
        return out

    def relu(self):
        mask = np.greater(self.data, 0)
        out = Tensor(self.data * mask, [self], "relu")

        def _backward():
            self.grad += out.grad * mask

        out._backward = _backward
        return out

    def backward(self):
        order = []

        def visit(node):
            if not any(node is other for other in order):
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = np.ones(self.shape) if self.shape else 1.0
        for node in order[::-1]:
            node._backward()
