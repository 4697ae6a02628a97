"""`+` sets the gradients of its operands to 0.

A new expression must not wipe out what its operands have collected. The forward step does not touch
any gradient.
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
