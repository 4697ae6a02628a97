"""`+` hands the gradient on in the shape of the result.

An operand that was stretched has a smaller shape than the result, and its gradient must have that shape, too: sum over the axes along
which it was stretched. `unbroadcast` does it. (`self.grad = self.grad + ...` hides that: it takes any shape.)
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
