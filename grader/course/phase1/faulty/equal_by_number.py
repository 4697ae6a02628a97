"""Values that count as the same when their numbers are equal.

With `__eq__` and `__hash__` on `data`, a set keeps only one of two nodes that both hold 2.0, and the other never gets
its gradient. Leave both methods out: a node is equal to itself only.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def __hash__(self):
        return hash(self.data)
