"""A power computed by multiplying again and again.

That works for 2 and 3, and says nothing about -1 or 0.5, which division needs. `self.data ** exponent` and one
formula serve all exponents.
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
