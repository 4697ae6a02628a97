"""`3 / a` computes `a / 3`.

Python calls `a.__rtruediv__(3)`: `self` is the denominator. Return `other * self**-1`.
"""

CAUGHT_BY = ("phase3.number-divided",)


class Value:
    def __rtruediv__(self, other):
        return self / other
