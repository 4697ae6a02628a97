"""relu returns a positive operand itself instead of a new Value.

The number is right, but the graph has no node for relu, so the result and the operand share one
gradient. Every operation makes a new Value, even if the number stays the same.
"""

CAUGHT_BY = ("phase6.relu",)


class Value:
    def relu(self):
        if self.data > 0:
            return self
        return Value(0.0, (self,), "relu")
