"""The backward step of addition writes `grad += ...` without `self.`.

Python then looks for a local variable `grad`, which does not exist yet, and raises
UnboundLocalError. Write `self.grad += out.grad`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
