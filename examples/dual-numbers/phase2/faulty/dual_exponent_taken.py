"""A Dual as the exponent is taken for its value.

Its slope is lost without a word, and the result looks right. Better no answer than a silent wrong one: raise a TypeError.
"""

CAUGHT_BY = ("phase2.exponent",)


class Dual:
    def __pow__(self, exponent):
        exponent = exponent.value if isinstance(exponent, Dual) else exponent
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)
