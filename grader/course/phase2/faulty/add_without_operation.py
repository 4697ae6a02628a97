"""The sum does not say that its operation is "+".

The result was made by an addition and should say so, or nobody can read the graph. The third
argument is the operation: `Value(..., (self, other), "+")`.
"""

CAUGHT_BY = ("phase2.graph",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
