"""Only one of the two operands of `+` is recorded.

A sum is made of two Values, and the backward pass has to find both. The children are `(self,
other)`.
"""

CAUGHT_BY = ("phase2.graph",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self,), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
