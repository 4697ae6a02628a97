"""`_op` is always "".

The constructor is told the operation and has to keep it: `self._op = _op`. Without it nobody can read in the graph
what was computed.
"""

CAUGHT_BY = ("phase1.operation",)


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = ""
        self._backward = lambda: None
