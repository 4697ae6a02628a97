"""The backward step of `+`, copied into `*`.

A product does not move as its operands move: its derivatives are the *other* operand's number. Change the two lines
inside `_backward` as well.
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
