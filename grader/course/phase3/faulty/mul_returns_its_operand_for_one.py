"""`a * 1` is `a` itself and not a new Value.

The number is right, but the product has no node: what is done to the result is done to `a`. Every
operation makes a new Value, even if the number stays the same.
"""

CAUGHT_BY = ("phase3.times-number",)


class Value:
    def __mul__(self, other):
        if not isinstance(other, Value):
            if other == 1:
                return self
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
