"""`{_children}` is a set that holds one tuple.

Braces make a set of the things between them, and here that is a single tuple. `set(_children)`
takes the children out of the tuple.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = {_children}
        self._op = _op
        self._backward = lambda: None
