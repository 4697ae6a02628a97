"""The constructor takes `_children` and forgets them.

An empty set for everybody makes every Value a leaf, and the backward pass finds nowhere to go. Keep what you are
given: `set(_children)`.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set()
        self._op = _op
        self._backward = lambda: None
