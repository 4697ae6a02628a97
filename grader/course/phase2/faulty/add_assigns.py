"""The backward step of addition uses `=` instead of `+=`.

A value that is used twice gets two shares of the gradient. `=` keeps only the last one; `+=` adds
them up.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad = out.grad
            other.grad = out.grad

        out._backward = _backward
        return out
