"""A constant has the slope 1.

1 is the slope of x, which moves as fast as itself. A constant does not move at all, so the default slope is 0.0.
"""

CAUGHT_BY = ("phase1.constant",)


class Dual:
    def __init__(self, value, slope=1.0):
        self.value = value
        self.slope = slope
