"""`a * 3` has the slope of `a`.

Three times `a` moves three times as fast as `a`: multiply the slope by the number, like the value.
"""

CAUGHT_BY = ("phase2.times",)


class Dual:
    def __mul__(self, other):
        if not isinstance(other, Dual):
            return Dual(self.value * other, self.slope)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
