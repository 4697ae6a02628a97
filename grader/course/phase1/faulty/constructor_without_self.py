"""The constructor assigns to names of its own: `data = data` instead of `self.data = data`.

Such a name is forgotten when `__init__` ends, so the new object has no attributes. Write `self.` in
front of each: `self.data = data`.
"""

CAUGHT_BY = ("phase1.data",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        data = data
        grad = 0.0
        _prev = set(_children)
        _op = _op
        _backward = lambda: None
