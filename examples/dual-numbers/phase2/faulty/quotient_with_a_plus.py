"""The quotient rule with a plus.

When the divisor grows, the quotient gets smaller: subtract the share of the divisor.
"""

CAUGHT_BY = ("phase2.divided",)


class Dual:
    def __truediv__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope + quotient * other.slope) / other.value)
