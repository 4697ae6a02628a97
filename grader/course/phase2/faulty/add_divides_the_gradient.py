"""The gradient of a sum is split between the operands.

A gradient is not an amount to be split up. Nudge one operand of a sum slightly, and the sum moves
by just as much, so each operand gets the whole `out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad / 2
            other.grad += out.grad / 2

        out._backward = _backward
        return out
