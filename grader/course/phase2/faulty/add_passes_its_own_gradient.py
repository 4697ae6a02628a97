"""The operand's gradient in place of the result's.

The gradient comes from above: from `out`, which is nearer to the final result. `self.grad` is where it goes to, and
`out.grad` is where it comes from.
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
