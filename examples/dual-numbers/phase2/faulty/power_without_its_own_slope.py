"""A power without the slope of its base.

n * a ** (n - 1) is how fast the power moves when the base does. The base moves with a slope of its own: that is the chain rule.
"""

CAUGHT_BY = ("phase2.power",)


class Dual:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1))
