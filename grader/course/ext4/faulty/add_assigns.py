"""`+` sets the gradients instead of adding to them.

The shares that an operand got from elsewhere are lost. Use `+=`, with arrays as with numbers.
"""

CAUGHT_BY = ("ext4.add-backward",)


class Tensor:
    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad = unbroadcast(out.grad, self.data.shape)
            other.grad = unbroadcast(out.grad, other.data.shape)

        out._backward = _backward
        return out
