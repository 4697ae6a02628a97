"""`return out` is missing in `__add__`.

A function that ends without `return` gives back None, and `a + b` is then None. Make `return out` the last line,
outside of the inner function.
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
