"""The backward step of multiplication leaves out the gradient of the result.

`other.data` is only how the product depends on `self`. Multiply it by `out.grad`, which is how the
final result depends on the product.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data
            other.grad += self.data

        out._backward = _backward
        return out
