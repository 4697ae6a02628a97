"""The backward step of `*` is attached to an operand, such as `self`, instead of to `out`.

The step needs the gradient of the product, so it belongs to the product: `out._backward =
_backward`. On `self` it also replaces the step that `self` had.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        self._backward = _backward
        return out
