"""`a + b` puts the sum into `a` and returns `a`.

The old number of `a` is lost, and the sum has no node. An operation makes a new Value and leaves
its operands alone.
"""

CAUGHT_BY = ("phase2.forward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data = self.data + other.data
        return self
