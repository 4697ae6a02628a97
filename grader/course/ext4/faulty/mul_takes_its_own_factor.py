"""`*` gives each operand its own data times the gradient.

d(a*b)/da is b, so each operand gets the other one's data times the gradient.
"""

CAUGHT_BY = ("ext4.mul-backward",)


class Tensor:
    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += unbroadcast(self.data * out.grad, self.data.shape)
            other.grad += unbroadcast(other.data * out.grad, other.data.shape)

        out._backward = _backward
        return out
