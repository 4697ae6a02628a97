"""All Values share one set of children: a set that is a default argument.

Python creates a default argument once, when it reads the `def`. All Values that use it share that
one set, and see each other's children. Make the set inside: `set(_children)`.
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
