"""The slope of a product is the product of the slopes.

That product comes with e * e, which is 0. What remains is each slope times the other value.
"""

CAUGHT_BY = ("phase2.times",)


class Dual:
    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.slope)
