"""u'v - uv' is divided by v, not by v * v.

That is right only if v is 1. Solve u' = q' * v + q * v' for q' with q = u / v, and count the divisions by v.
"""

CAUGHT_BY = ("phase2.divided",)


class Dual:
    def __truediv__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value / other.value, (self.slope * other.value - self.value * other.slope) / other.value)
