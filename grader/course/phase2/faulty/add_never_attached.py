"""The backward step is written, but never attached.

A function that is defined and not kept is gone when `__add__` returns. Store it: `out._backward = _backward`, on the
level of the `def`, not inside it.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
            out._backward = _backward

        return out
