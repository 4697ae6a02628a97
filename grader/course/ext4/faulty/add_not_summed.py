"""`+` passes the gradient on in the shape of the result.

If an operand was stretched, its gradient must have the operand's smaller shape: `unbroadcast` sums
over the axes along which it was stretched. (`self.grad = self.grad + ...` hides the mistake,
because it accepts any shape.)
"""

CAUGHT_BY = ("ext4.add-stretched",)


class Tensor:
    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad = self.grad + out.grad
            other.grad = other.grad + out.grad

        out._backward = _backward
        return out
