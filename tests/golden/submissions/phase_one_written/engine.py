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
        raise NotImplementedError("Value.__add__")

    def __radd__(self, other):
        raise NotImplementedError("Value.__radd__")

    def __mul__(self, other):
        raise NotImplementedError("Value.__mul__")

    def __rmul__(self, other):
        raise NotImplementedError("Value.__rmul__")

    def __neg__(self):
        raise NotImplementedError("Value.__neg__")

    def __sub__(self, other):
        raise NotImplementedError("Value.__sub__")

    def __rsub__(self, other):
        raise NotImplementedError("Value.__rsub__")

    def __pow__(self, exponent):
        raise NotImplementedError("Value.__pow__")

    def __truediv__(self, other):
        raise NotImplementedError("Value.__truediv__")

    def __rtruediv__(self, other):
        raise NotImplementedError("Value.__rtruediv__")

    def build_topo(self):
        raise NotImplementedError("Value.build_topo")

    def backward(self):
        raise NotImplementedError("Value.backward")
