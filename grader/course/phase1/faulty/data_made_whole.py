"""`data` loses its decimals, as with `int(data)`.

`int(-2.5)` is -2. Store the number as it was given; an int and a float are both fine.
"""

CAUGHT_BY = ("phase1.data",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = int(data)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
