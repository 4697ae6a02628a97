"""`a @ b` multiplies number by number.

A matrix product multiplies rows by columns and adds up the products. numpy's own `@` does that with
the data.
"""

CAUGHT_BY = ("ext4.matmul",)


class Tensor:
    def __matmul__(self, other):
        out = Tensor(self.data * other.data, (self, other), "@")

        def _backward():
            self.grad += unbroadcast(other.data * out.grad, self.data.shape)
            other.grad += unbroadcast(self.data * out.grad, other.data.shape)

        out._backward = _backward
        return out
