"""The gradient is read when the sum is made.

Outside of the inner function `out.grad` is read at once, and is still 0.0. Read it inside, so that it is looked up
when the gradient is known.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        share = out.grad

        def _backward():
            self.grad += share
            other.grad += share

        out._backward = _backward
        return out
