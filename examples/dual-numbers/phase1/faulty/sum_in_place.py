"""`a + b` changes `a` and returns it.

When `a` is used again, it holds the sum. An operation leaves its operands alone and makes a new Dual.
"""

CAUGHT_BY = ("phase1.plus",)


class Dual:
    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        self.value += other.value
        self.slope += other.slope
        return self
