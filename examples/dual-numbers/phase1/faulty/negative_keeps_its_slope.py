"""`-a` has the slope of `a`.

When `a` rises, `-a` falls just as fast: flip both signs.
"""

CAUGHT_BY = ("phase1.negative",)


class Dual:
    def __neg__(self):
        return Dual(-self.value, self.slope)
