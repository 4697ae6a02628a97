"""relu gives a positive operand back, and not a new Value.

The number is right, and the graph has no node for relu: a gradient that is put into the result is put into the operand. Every operation
makes a new Value, one that changes nothing too.
"""

CAUGHT_BY = ("phase6.relu",)


class Value:
    def relu(self):
        if self.data > 0:
            return self
        return Value(0.0, (self,), "relu")
