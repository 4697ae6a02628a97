"""The constructor sets local variables: `data = data` instead of `self.data = data`.

They are gone when `__init__` ends, so the new object has no attributes. Write `self.` in front of
each name: `self.data = data`.
"""

CAUGHT_BY = ("phase1.data",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        data = data
        grad = 0.0
        _prev = set(_children)
        _op = _op
        _backward = lambda: None
