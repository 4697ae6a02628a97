"""The gradients of `@` do not transpose the other matrix.

For (n, k) @ (k, m) the gradient is (n, m), and only `out.grad @ other.data.T` is (n, k). With
square matrices every product has the right shape, so there is no error.
"""

CAUGHT_BY = ("ext4.matmul-backward",)


class Tensor:
    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, (self, other), "@")

        def _backward():
            self.grad += out.grad @ other.data
            other.grad += self.data @ out.grad

        out._backward = _backward
        return out
