"""A power is computed by repeated multiplication.

That works for 2 and 3, but not for -1, which division needs, nor for 0.5. `self.data ** exponent`
and one formula serve all exponents.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = self
        for _ in range(exponent - 1):
            out = out * self
        return out
