"""`-a` makes a Tensor without operands.

The numbers are right, but no gradient ever comes back, because a new Tensor has to know its
operands. Use `self * -1`, which does.
"""

CAUGHT_BY = ("ext4.minus",)


class Tensor:
    def __neg__(self):
        return Tensor(-self.data)
