"""The backward step of addition multiplies the arriving gradient by itself.

The local derivative of a sum is 1, so `out.grad` appears only once: `self.grad += 1.0 * out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad * out.grad
            other.grad += out.grad * out.grad

        out._backward = _backward
        return out
