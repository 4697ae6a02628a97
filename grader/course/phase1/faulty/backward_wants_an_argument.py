"""`_backward` takes an argument, but it is called without one.

The call is `node._backward()`: the function finds everything it needs in `self`, `other` and `out`.
Write `lambda: None`.
"""

CAUGHT_BY = ("phase1.no-op-backward",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda grad: None
