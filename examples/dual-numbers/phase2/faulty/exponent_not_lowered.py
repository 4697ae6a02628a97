"""n * a ** n, with the exponent unchanged.

The power needs one factor less: of the n factors of a ** n one moves at a time, and n - 1 stay.
"""

CAUGHT_BY = ("phase2.power",)


class Dual:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be a number")
        return Dual(self.value**exponent, exponent * self.value**exponent * self.slope)
