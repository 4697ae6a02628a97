"""The number is stored on the class, not on the object.

All Values share `Value.data`, so the newest number replaces every other. `self.data = data` gives
each Value its own.
"""

CAUGHT_BY = ("phase1.data",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        Value.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
