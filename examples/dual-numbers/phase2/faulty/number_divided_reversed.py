"""`3 / a` computes `a / 3`.

Python calls `a.__rtruediv__(3)`: `self` is the divisor. Make a constant of the number, and divide that.
"""

CAUGHT_BY = ("phase2.number-divided",)


class Dual:
    def __rtruediv__(self, other):
        return self / other
