"""The backward step of addition uses the operand's own gradient instead of the result's.

The gradient comes from `out`, which is nearer to the final result. `out.grad` is where it comes
from, and `self.grad` is where it goes.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += self.grad
            other.grad += other.grad

        out._backward = _backward
        return out
