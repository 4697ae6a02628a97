"""A power without the slope of its base.

n * a ** (n - 1) is how fast the power moves per move of its base. Multiply by the slope of the base: that is the chain rule.
"""

CAUGHT_BY = ("phase2.power",)


class Dual:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1))
