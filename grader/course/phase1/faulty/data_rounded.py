"""The number is rounded when it is stored.

That changes every result that follows, and small numbers vanish. Keep the number as it is given.
"""

CAUGHT_BY = ("phase1.data",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = round(data, 2)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
