"""The sum does not know its operands.

Nothing leads from the result back to the numbers it was made of. Pass the operands to the
constructor: `Value(..., (self, other), "+")`.
"""

CAUGHT_BY = ("phase2.graph",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, _op="+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
