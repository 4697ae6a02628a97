"""`+` wraps an int, but not a float.

`a + 2` works and `a + 2.5` does not. Check whether `other` is a Value rather than whether it is an
int, and wrap everything else.
"""

CAUGHT_BY = ("phase2.plain-number",)


class Value:
    def __add__(self, other):
        other = Value(other) if isinstance(other, int) else other
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
