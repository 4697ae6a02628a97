"""The backward step of addition sets the result's gradient to 0 after passing it on.

Passing on means copying. `out` keeps its gradient, which says how the final result depends on it,
and you may want to read it. Leave `out.grad` alone.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
            out.grad = 0.0

        out._backward = _backward
        return out
