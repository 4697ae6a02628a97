"""No `grad` in the constructor.

An attribute that `__init__` does not set is not there when somebody reads it. Write `self.grad = 0.0` next to
`self.data`.
"""

CAUGHT_BY = ("phase1.grad",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
