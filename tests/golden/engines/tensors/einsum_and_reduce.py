"""Everything by einsum and ufunc reductions; operands in a tuple; an order without recursion; gradients rebound, not changed in place."""

import numpy


def unbroadcast(gradient, shape):
    extra = numpy.ndim(gradient) - len(shape)
    stretched = [extra + axis for axis, size in enumerate(shape) if size == 1 and gradient.shape[extra + axis] > 1]
    summed = numpy.add.reduce(gradient, axis=(*range(extra), *stretched))
    return numpy.reshape(summed, shape)


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, _children=(), _op=""):
        self.data = numpy.asarray(data, dtype="float64")
        self.grad = numpy.full(self.data.shape, 0.0)
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def _result(self, data, operands, op, *shares):
        out = Tensor(data, operands, op)

        def _backward():
            for operand, share in zip(operands, shares):
                operand.grad = operand.grad + unbroadcast(share(out.grad), operand.data.shape)

        out._backward = _backward
        return out

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return self._result(self.data + other.data, (self, other), "+", lambda g: g, lambda g: g)

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return self._result(self.data * other.data, (self, other), "*", lambda g: g * other.data, lambda g: g * self.data)

    __rmul__ = __mul__

    def __neg__(self):
        return self._result(-self.data, (self,), "neg", lambda g: -g)

    def __sub__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return self._result(self.data - other.data, (self, other), "-", lambda g: g, lambda g: -g)

    def __rsub__(self, other):
        return Tensor(other) - self

    def __pow__(self, k):
        return self._result(self.data**k, (self,), f"**{k}", lambda g: g * k * self.data ** (k - 1))

    def __truediv__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        quotient = self.data / other.data
        return self._result(quotient, (self, other), "/", lambda g: g / other.data, lambda g: -g * quotient / other.data)

    def __rtruediv__(self, other):
        return Tensor(other) / self

    def __matmul__(self, other):
        return self._result(
            numpy.einsum("ik,kj->ij", self.data, other.data), (self, other), "@",
            lambda g: numpy.einsum("ij,kj->ik", g, other.data), lambda g: numpy.einsum("ik,ij->kj", self.data, g),
        )

    def sum(self, axis=None, keepdims=False):
        axes = tuple(range(self.data.ndim)) if axis is None else (axis % self.data.ndim,)
        kept = tuple(1 if at in axes else size for at, size in enumerate(self.data.shape))
        total = numpy.add.reduce(self.data, axis=axes, keepdims=keepdims)
        return self._result(total, (self,), "sum", lambda g: numpy.broadcast_to(numpy.reshape(g, kept), self.data.shape))

    def relu(self):
        return self._result(numpy.where(self.data > 0, self.data, 0.0), (self,), "relu", lambda g: numpy.where(self.data > 0, g, 0.0))

    def backward(self):
        order, seen, stack = [], {id(self)}, [(self, iter(self._prev))]
        while stack:
            node, rest = stack[-1]
            for child in rest:
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append((child, iter(child._prev)))
                    break
            else:
                order.append(stack.pop()[0])
        self.grad = numpy.ones(self.data.shape)
        while order:
            order.pop()._backward()
