"""The operation of a product is still "+".

It is easy to leave behind when you copy `__add__`, but the graph becomes hard to read. The third
argument is "*" here.
"""

CAUGHT_BY = ("phase3.times-graph",)


class Value:
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "+")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
