"""`2 / t` computes `t / 2`.

Python calls `t.__rtruediv__(2)`, so `self` is the right operand. Return `self**-1 * other`.
"""

CAUGHT_BY = ("ext4.division",)


class Tensor:
    def __rtruediv__(self, other):
        return self / other
