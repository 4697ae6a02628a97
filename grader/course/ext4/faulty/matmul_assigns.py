"""`@` sets the gradients instead of adding to them.

Weights that are used for two inputs get two shares. Use `+=`, for matrices too.
"""

CAUGHT_BY = ("ext4.matmul-backward",)


class Tensor:
    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, (self, other), "@")

        def _backward():
            self.grad = out.grad @ other.data.T
            other.grad = self.data.T @ out.grad

        out._backward = _backward
        return out
