"""The backward step of `*` is the same as for `+`.

A product does not move by as much as its operands do. The derivative for each operand is the other
operand's number: change both lines inside `_backward`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
