# Autograd from scratch (cleaned up from my notebook)
import math


class Value:

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = self._do_nothing

    def _do_nothing(self):
        return None

    def __repr__(self):
        return 'Value(data=' + str(self.data) + ', grad=' + str(self.grad) + ')'

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data + other.data, (self, other), '+')
        def _backward():
            # plus just routes the gradient
            self.grad += result.grad
            other.grad += result.grad
        result._backward = _backward
        return result

    def __radd__(self, other):
        return self.__add__(other)

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        result = Value(self.data * other.data, (self, other), '*')
        def _backward():
            # each gets the other one
            self.grad += other.data * result.grad
            other.grad += self.data * result.grad
        result._backward = _backward
        return result

    def __rmul__(self, other):
        return self.__mul__(other)

    def __neg__(self):
        return self.__mul__(-1)

    def __sub__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return self.__add__(other.__neg__())

    def __rsub__(self, other):
        return Value(other).__sub__(self)

    def __pow__(self, power):
        if type(power) not in (int, float):
            raise TypeError('power has to be a number')
        result = Value(self.data ** power, (self,), '**' + str(power))
        def _backward():
            local = power * (self.data ** (power - 1))
            self.grad += local * result.grad
        result._backward = _backward
        return result

    def __truediv__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return self.__mul__(other.__pow__(-1))

    def __rtruediv__(self, other):
        return Value(other).__truediv__(self)

    def tanh(self):
        t = math.tanh(self.data)
        result = Value(t, (self,), 'tanh')
        def _backward():
            local = 1 - t ** 2
            self.grad += local * result.grad
        result._backward = _backward
        return result

    def relu(self):
        r = self.data if self.data > 0 else 0.0
        result = Value(r, (self,), 'relu')
        def _backward():
            local = 1.0 if result.grad > 0 else 0.0
            self.grad += local * result.grad
        result._backward = _backward
        return result

    def exp(self):
        e = math.exp(self.data)
        result = Value(e, (self,), 'exp')
        def _backward():
            self.grad += e * result.grad
        result._backward = _backward
        return result

    def build_topo(self, topo=None, visited=None):
        if topo is None:
            topo, visited = [], set()
        if self not in visited:
            visited.add(self)
            for child in self._prev:
                child.build_topo(topo, visited)
            topo.append(self)
        return topo

    def backward(self):
        nodes = self.build_topo()
        self.grad = 1.0
        for node in nodes[::-1]:
            node._backward()

    def zero_grad(self):
        for node in self.build_topo():
            node.grad = 0.0
