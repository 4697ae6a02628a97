"""Division adds a tiny number to the denominator.

It lets a division by zero go on with a huge, meaningless number. Python's ZeroDivisionError says
what happened and where, so let Python raise it.
"""

CAUGHT_BY = ("phase3.division-by-zero",)


class Value:
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self * (other + 1e-12) ** -1

    def __rtruediv__(self, other):
        return other * (self + 1e-12) ** -1
