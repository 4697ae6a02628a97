"""A new Value starts with a gradient of 1.0.

The 1.0 belongs to the result alone, and `backward()` puts it there. Every other node adds up
shares, and a sum starts at 0.0.
"""

CAUGHT_BY = ("phase1.grad",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 1.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
