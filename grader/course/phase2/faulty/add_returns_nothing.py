"""`return out` is missing in `__add__`.

Without `return`, a function gives back None, so `a + b` is None. Make `return out` the last line of
`__add__`, outside the inner function.
"""

CAUGHT_BY = ("phase2.forward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
