"""`a * b` changes the number in `a`.

`self.data *= other.data` changes `a` for every expression that uses it. Leave `a` alone:
`Value(self.data * other.data, ...)`.
"""

CAUGHT_BY = ("phase3.negative", "phase3.operands-untouched")


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        before = self.data
        self.data *= other.data
        out = Value(self.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += before * out.grad

        out._backward = _backward
        return out
