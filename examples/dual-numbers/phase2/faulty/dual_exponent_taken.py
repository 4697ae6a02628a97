"""A Dual exponent is replaced by its value.

Its slope is lost silently, and the result looks right. An error is better than a wrong answer: raise TypeError.
"""

CAUGHT_BY = ("phase2.exponent",)


class Dual:
    def __pow__(self, exponent):
        exponent = exponent.value if isinstance(exponent, Dual) else exponent
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)
