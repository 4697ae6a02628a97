"""The backward step of addition leaves out the gradient of the result.

The derivative 1 says only how the sum depends on its operand. `out.grad` says how the final result
depends on the sum, and the chain rule multiplies the two: add `1.0 * out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += 1.0
            other.grad += 1.0

        out._backward = _backward
        return out
