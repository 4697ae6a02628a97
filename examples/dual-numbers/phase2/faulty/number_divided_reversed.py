"""`3 / a` computes `a / 3`.

Python calls `a.__rtruediv__(3)`: `self` is the divisor. Turn the number into a constant, and divide that by `self`.
"""

CAUGHT_BY = ("phase2.number-divided",)


class Dual:
    def __rtruediv__(self, other):
        return self / other
