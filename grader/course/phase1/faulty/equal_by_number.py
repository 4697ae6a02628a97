"""Values with equal numbers count as the same Value.

With `__eq__` and `__hash__` based on `data`, a set keeps only one of two nodes that both hold 2.0,
and the other never gets its gradient. Leave both methods out: then a node is equal only to itself.
"""

CAUGHT_BY = ("phase1.children",)


class Value:
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def __hash__(self):
        return hash(self.data)
