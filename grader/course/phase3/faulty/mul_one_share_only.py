"""Only one of the factors gets its share of the gradient.

The second line is missing. Nudging either factor moves the product, so both need one: `other.grad
+= self.data * out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad

        out._backward = _backward
        return out
