"""phase4.unequal-paths engine: along every path"""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def backward(self):
        self.grad = 1.0

        def down(node):
            node._backward()
            for child in node._prev:
                down(child)

        down(self)
