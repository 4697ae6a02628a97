"""`-a` makes a Tensor without operands.

The numbers are right, and no gradient ever comes back: a new Tensor has to know what it was made of. `self * -1` does.
"""

CAUGHT_BY = ("ext4.minus",)


class Tensor:
    def __neg__(self):
        return Tensor(-self.data)
