"""The number is wrapped, but the backward step uses the bare one.

The sum reads the wrapped Value, but the inner function uses `other`, which is still a plain number
without a `grad`. Give the wrapped Value the old name: `other = Value(other)`.
"""

CAUGHT_BY = ("phase2.number-right",)


class Value:
    def __add__(self, other):
        wrapped = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + wrapped.data, (self, wrapped), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
