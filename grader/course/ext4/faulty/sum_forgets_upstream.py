"""`sum` gives every number the gradient 1.

The local derivative is 1, and the chain rule multiplies it by the gradient of the sum.
"""

CAUGHT_BY = ("ext4.sum-backward",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), "sum")

        def _backward():
            self.grad += np.ones_like(self.data)

        out._backward = _backward
        return out
