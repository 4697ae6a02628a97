"""A Tensor of [1, 2] holds integers.

numpy keeps integers as integers, and `zeros_like` makes zeros of the same type. A gradient of 0.5
cannot be added to those in place: write `dtype=float`.
"""

CAUGHT_BY = ("ext4.tensor",)


class Tensor:
    def __init__(self, data, _children=(), _op=""):
        self.data = np.array(data)
        self.grad = np.zeros_like(self.data)
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
