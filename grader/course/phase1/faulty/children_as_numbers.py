"""`_prev` holds the children's numbers instead of the children.

A number cannot receive a gradient. `_prev` needs the Values themselves, so that the backward pass
can reach them.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = {child.data for child in _children}
        self._op = _op
        self._backward = lambda: None
