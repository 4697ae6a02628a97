"""`sum` hands a stretched view over as the gradient.

`np.broadcast_to` makes an array that cannot be changed, so the next `+=` raises ValueError. Add to the
array that is there.
"""

CAUGHT_BY = ("ext4.used-again",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), "sum")

        def _backward():
            gradient = out.grad if axis is None or keepdims else np.expand_dims(out.grad, axis)
            if self.grad.any():
                self.grad += gradient
            else:
                self.grad = np.broadcast_to(gradient, self.data.shape)

        out._backward = _backward
        return out
