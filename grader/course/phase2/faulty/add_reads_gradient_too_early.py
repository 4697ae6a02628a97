"""The gradient of the result is read when the sum is made, while it is still 0.

Outside the inner function, `out.grad` is read at once. Read it inside, so that it is looked up when
the gradient is known.
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
