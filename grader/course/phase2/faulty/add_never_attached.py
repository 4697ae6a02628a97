"""The backward step of `+` is never attached to the result, so it sends nothing back.

A function that is defined but not stored is gone when `__add__` returns. Store it after the `def`,
not inside it: `out._backward = _backward`.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        return out
