"""`2 - t` computes `t - 2`.

Python calls `t.__rsub__(2)`, so `self` is the right operand. Return `-self + other`.
"""

CAUGHT_BY = ("ext4.minus",)


class Tensor:
    def __rsub__(self, other):
        return self - other
