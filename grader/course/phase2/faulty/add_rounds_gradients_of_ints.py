"""The backward step of `+` turns the gradient of an int into an int.

A number may be an int, but its gradient rarely is: `int(0.5)` is 0. Add `out.grad` as it is.
"""

CAUGHT_BY = ("phase2.backward",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            for node in (self, other):
                node.grad += type(node.data)(out.grad)

        out._backward = _backward
        return out
