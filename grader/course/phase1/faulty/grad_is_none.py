"""A new Value starts with `None` as its gradient.

The gradient is not known yet, but it must be a number: shares are added to it with `+=`, and `None
+ 1.0` is an error. Start with 0.0.
"""

CAUGHT_BY = ("phase1.grad",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = None
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
