"""`_op` is always "".

The constructor gets the operation and has to store it: `self._op = _op`. Without it nobody can see
in the graph what was computed.
"""

CAUGHT_BY = ("phase1.operation",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = ""
        self._backward = lambda: None
