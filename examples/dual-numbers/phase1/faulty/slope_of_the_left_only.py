"""The sum has the slope of its left operand.

Both operands may move, and the sum moves as fast as both together: add the slopes as you add the values.
"""

CAUGHT_BY = ("phase1.plus",)


class Dual:
    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope)
