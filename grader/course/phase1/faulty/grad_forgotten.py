"""The constructor does not set `grad`.

An attribute that `__init__` does not set is missing when someone reads it. Write `self.grad = 0.0`
next to `self.data`.
"""

CAUGHT_BY = ("phase1.grad",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
