"""A plain number on the right is not wrapped.

`a + 3` passes a bare 3 to `__add__`, and an int has no `data`. Wrap it first: `other = other if
isinstance(other, Value) else Value(other)`.
"""

CAUGHT_BY = ("phase2.plain-number",)


class Value:
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __radd__(self, other):
        return Value(other) + self
