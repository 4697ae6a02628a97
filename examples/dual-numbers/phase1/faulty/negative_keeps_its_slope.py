"""`-a` has the slope of `a`.

When `a` rises, `-a` falls, and just as fast: both numbers get the other sign.
"""

CAUGHT_BY = ("phase1.negative",)


class Dual:
    def __neg__(self):
        return Dual(-self.value, self.slope)
