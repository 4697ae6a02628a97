"""The constructor takes `_children` but does not store them.

If `_prev` is always empty, every Value is a leaf, and the backward pass has nowhere to go. Store
the children: `set(_children)`.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set()
        self._op = _op
        self._backward = lambda: None
