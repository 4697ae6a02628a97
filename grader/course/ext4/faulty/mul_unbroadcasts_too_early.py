"""`*` sums the gradient before it multiplies.

Each number of the gradient goes with its own factor. First multiply in the large shape, then sum: a
sum of products is not a product of sums.
"""

CAUGHT_BY = ("ext4.mul-backward",)


class Tensor:
    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += unbroadcast(other.data * unbroadcast(out.grad, self.data.shape), self.data.shape)
            other.grad += unbroadcast(self.data * unbroadcast(out.grad, other.data.shape), other.data.shape)

        out._backward = _backward
        return out
