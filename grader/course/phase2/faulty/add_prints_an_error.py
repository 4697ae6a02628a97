"""`+` prints a message instead of raising an error.

The program goes on with None instead of a sum and fails somewhere else, where nobody understands
why. `raise TypeError(...)` stops at the right place.
"""

CAUGHT_BY = ("phase2.refuses-non-numbers",)


class Value:
    def __add__(self, other):
        if not isinstance(other, (Value, int, float)):
            print(f"cannot add {other!r}")
            return None
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
