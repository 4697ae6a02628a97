"""`*` leaves out the gradient of the result.

The chain rule multiplies the local derivative by what comes from above, `out.grad`. Without it the
gradients are right only when that is 1.
"""

CAUGHT_BY = ("ext4.mul-backward",)


class Tensor:
    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += unbroadcast(other.data * np.ones_like(out.data), self.data.shape)
            other.grad += unbroadcast(self.data * np.ones_like(out.data), other.data.shape)

        out._backward = _backward
        return out
