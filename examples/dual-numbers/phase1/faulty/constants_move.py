"""A constant with the slope 1.

1 is the slope of x, which moves as fast as itself. A constant does not move at all: 0.0 is what to assume where nothing is said.
"""

CAUGHT_BY = ("phase1.constant",)


class Dual:
    def __init__(self, value, slope=1.0):
        self.value = value
        self.slope = slope
