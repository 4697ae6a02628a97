"""A tiny number is added to the denominator.

It keeps the program running on a division by zero, with a huge number that means nothing. Python's ZeroDivisionError
says what happened and where; let it come.
"""

CAUGHT_BY = ("phase3.division-by-zero",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self * (other + 1e-12) ** -1

    def __rtruediv__(self, other):
        return other * (self + 1e-12) ** -1
