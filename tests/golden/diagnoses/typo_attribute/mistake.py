"""phase1.children engine: _perv in place of _prev"""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._perv = set(_children)
        self._op = _op
        self._backward = lambda: None
