"""`a + b` changes the number in `a`.

`self.data += other.data` changes `a` for every expression that uses it, so `a + b` gives a
different result the second time. Leave `a` alone: `Value(self.data + other.data, ...)`.
"""

CAUGHT_BY = ("phase2.operands-untouched",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.data += other.data
        out = Value(self.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
