"""relu hands its own gradient array over.

Now both Tensors have the same array, and the next `+=` changes both gradients. Add to the array that
is there.
"""

CAUGHT_BY = ("ext4.used-again",)


class Tensor:
    def relu(self):
        out = Tensor(np.maximum(self.data, 0), (self,), "relu")

        def _backward():
            if (self.data > 0).all() and not self.grad.any():
                self.grad = out.grad
            else:
                self.grad += (self.data > 0) * out.grad

        out._backward = _backward
        return out
