"""`a / b` computes `b / a`.

The power of -1 belongs to the denominator: `self * other**-1`. In `__truediv__`, `self` is on the
left.
"""

CAUGHT_BY = ("phase3.divided",)


class Value:
    def __truediv__(self, other):
        return other * self**-1
