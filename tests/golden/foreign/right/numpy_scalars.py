import numpy as np


class Value:
    def __init__(self, data, _children=()):
        self.data = np.float64(data)
        self.grad = np.zeros(())
        self._children = tuple(_children)
        self._push = None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def push():
            self.grad = self.grad + out.grad
            other.grad = other.grad + out.grad

        out._push = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad = self.grad + other.data * out.grad
            other.grad = other.grad + self.data * out.grad

        out._push = push
        return out

    def tanh(self):
        out = Value(np.tanh(self.data), (self,))

        def push():
            self.grad = self.grad + (1 - out.data**2) * out.grad

        out._push = push
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1

    def backward(self):
        topo = []
        seen = set()

        def go(v):
            if v not in seen:
                seen.add(v)
                for c in v._children:
                    go(c)
                topo.append(v)

        go(self)
        self.grad = np.ones(())
        for v in topo[::-1]:
            if v._push:
                v._push()
