"""`a + 0` is `a` itself.

The sum has the same number, but it is a new node with its own gradient. With `a` in its place, a
second `backward()` sets the gradient of `a` to 1 and adds nothing.
"""

CAUGHT_BY = ("phase2.plain-number",)


class Value:
    def __add__(self, other):
        if not isinstance(other, Value) and other == 0:
            return self
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
