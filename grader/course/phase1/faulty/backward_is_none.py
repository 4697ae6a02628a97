"""`_backward` is `None` instead of a function that does nothing.

The backward pass calls `_backward()` on every node, even on leaves, and `None` cannot be called.
`lambda: None` can.
"""

CAUGHT_BY = ("phase1.no-op-backward",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = None
