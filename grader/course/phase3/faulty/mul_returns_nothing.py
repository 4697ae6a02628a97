"""`return out` is missing in `__mul__`.

A function without `return` gives None, and `a * b` is then None. End with `return out`.
"""

CAUGHT_BY = ("phase3.times",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
