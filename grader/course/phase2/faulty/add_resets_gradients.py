"""The operands' gradients are set to 0 when the sum is made.

A new expression over old Values must not wipe out what they have collected: whoever wants zeros will ask for them.
The forward step touches no gradient.
"""

CAUGHT_BY = ("phase2.operands-untouched",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.grad = 0.0
        other.grad = 0.0
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
