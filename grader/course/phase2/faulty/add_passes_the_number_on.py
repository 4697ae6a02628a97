"""The backward step of addition passes on `out.data` instead of `out.grad`.

`out.data` is the sum itself. The share of each operand depends on the gradient that arrived at the
result, which is `out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.data
            other.grad += out.data

        out._backward = _backward
        return out
