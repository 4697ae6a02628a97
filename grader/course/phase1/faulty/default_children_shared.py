"""All Values share one set of children.

A default argument is created only once, when Python reads the `def`, so all Values see each other's
children. Make the set inside: `set(_children)`.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __init__(self, data, _children=(), _op="", _prev=set()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._prev.update(_children)
        self._op = _op
        self._backward = lambda: None
