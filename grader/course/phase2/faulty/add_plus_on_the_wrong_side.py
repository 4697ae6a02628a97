"""The backward step of addition has `=+` instead of `+=`.

Python reads `x =+ y` as `x = (+y)`, an assignment with a plus sign before the number. It runs
without an error and overwrites the earlier shares. The `+` goes first: `+=`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad =+ out.grad
            other.grad =+ out.grad

        out._backward = _backward
        return out
