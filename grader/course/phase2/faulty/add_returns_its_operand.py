"""The sum is put into `self`, and `self` is returned.

Then the old number of `a` is lost, and there is no node for the sum. An operation makes a new Value and leaves its
operands alone.
"""

CAUGHT_BY = ("phase2.forward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data = self.data + other.data
        return self
