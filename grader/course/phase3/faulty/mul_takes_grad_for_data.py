"""The backward step of `*` uses `other.grad` instead of `other.data`.

The local derivative is the number of the other factor. Its gradient has not even arrived yet. Write
`self.grad += other.data * out.grad`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.grad * out.grad
            other.grad += self.grad * out.grad

        out._backward = _backward
        return out
