"""The gradient of every Tensor begins as the number 0.0.

A gradient has the shape of its data from the beginning: `np.zeros_like(self.data)`. Then an addition of the wrong shape is an error at
once, and not a wrong shape later.
"""

CAUGHT_BY = ("ext4.tensor",)


class Tensor:
    def __init__(self, data, _children=(), _op=""):
        self.data = np.array(data, dtype=float)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
