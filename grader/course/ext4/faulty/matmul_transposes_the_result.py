"""The gradient of the left matrix is transposed.

`other.data @ out.grad.T` has the right numbers in the wrong places. Write `out.grad @
other.data.T`.
"""

CAUGHT_BY = ("ext4.matmul-backward",)


class Tensor:
    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, (self, other), "@")

        def _backward():
            self.grad = self.grad + other.data @ out.grad.T
            other.grad += self.data.T @ out.grad

        out._backward = _backward
        return out
