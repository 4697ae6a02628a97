"""The gradient of a new Tensor is the number 0.0 instead of an array.

A gradient has the shape of its data from the start: `np.zeros_like(self.data)`. Then adding too
large an array is an error at once, not a wrong shape later.
"""

CAUGHT_BY = ("ext4.tensor",)


class Tensor:
    def __init__(self, data, _children=(), _op=""):
        self.data = np.array(data, dtype=float)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
