"""The class defines `__eq__` without `__hash__`.

A class that defines `__eq__` loses its hash, so its objects cannot be put into a set. Two nodes
with equal numbers are still two nodes: leave `__eq__` out.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data
