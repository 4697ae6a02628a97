"""The backward step of `*` is never attached to the result, so it sends nothing back.

The function is defined and then forgotten. Before `return out`, write `out._backward = _backward`.
"""

CAUGHT_BY = ("phase3.times-backward",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        return out
