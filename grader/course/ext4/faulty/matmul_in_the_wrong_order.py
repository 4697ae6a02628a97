"""The gradients of `@` multiply in the wrong order.

The order of the factors matters for matrices. Write the shapes below each factor: `out.grad @
other.data.T` and `self.data.T @ out.grad`.
"""

CAUGHT_BY = ("ext4.matmul-backward",)


class Tensor:
    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, (self, other), "@")

        def _backward():
            self.grad += other.data.T @ out.grad
            other.grad += out.grad @ self.data.T

        out._backward = _backward
        return out
