"""`a + 0` is `a` itself and not a new Value.

The number is right, but the sum has no node: what is done to the result is done to `a`. Every
operation makes a new Value, even if the number stays the same.
"""

CAUGHT_BY = ("phase2.plain-number",)


class Value:
    def __add__(self, other):
        if not isinstance(other, Value):
            if other == 0:
                return self
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
