"""The product rule with one of its two terms.

`b * slope of a` is the share of a. b may move as well, and its share is `a * slope of b`.
"""

CAUGHT_BY = ("phase2.times",)


class Dual:
    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.value)
