"""The gradient is divided among the operands.

A gradient is no quantity that has to be shared out. Nudge one operand of a sum by a little, and the sum moves by just
as much: each gets the whole `out.grad`.
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
