"""`a + b` returns a plain number.

The sum is right, but a float does not know where it came from, and the graph ends there. Put it
into a new Value, with its operands.
"""

CAUGHT_BY = ("phase2.forward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.data + other.data
