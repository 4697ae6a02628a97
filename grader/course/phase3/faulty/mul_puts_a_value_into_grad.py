"""The backward step of `*` uses `other` instead of `other.data`, so `grad` becomes a Value.

`other * out.grad` is a multiplication of Values and makes a new node. A gradient is a plain number:
write `other.data * out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other * out.grad
            other.grad += self * out.grad

        out._backward = _backward
        return out
