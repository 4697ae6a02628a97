"""The backward step of `+` is attached to an operand, such as `self`, instead of to `out`.

The step needs the gradient of the result, so it belongs to the result: `out._backward = _backward`.
On `self` it also replaces the step that `self` had.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        self._backward = _backward
        return out
