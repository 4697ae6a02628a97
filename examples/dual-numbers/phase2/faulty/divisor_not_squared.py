"""u'v - uv' divided by v, and not by v * v.

It is right where v is 1, and nowhere else. Solve slope = q' * v + q * v' for q', and see how often v comes in.
"""

CAUGHT_BY = ("phase2.divided",)


class Dual:
    def __truediv__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value / other.value, (self.slope * other.value - self.value * other.slope) / other.value)
