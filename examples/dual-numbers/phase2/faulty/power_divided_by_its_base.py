"""n * a ** n / a: the exponent lowered by a division.

It equals n * a ** (n - 1) for every base except 0. There x ** 2 is flat, but the division raises an error.
"""

CAUGHT_BY = ("phase2.power",)


class Dual:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        return Dual(self.value**exponent, exponent * self.value**exponent / self.value * self.slope)
