"""The slope of a product is the product of the slopes.

That term has e * e in it, and is 0. The two that stay are slope times value, once for each factor.
"""

CAUGHT_BY = ("phase2.times",)


class Dual:
    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.slope)
