"""`sum` divides its gradient among the numbers, as a mean does.

In a sum every number has the factor 1 and gets the whole gradient.
"""

CAUGHT_BY = ("ext4.sum-backward",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), "sum")

        def _backward():
            gradient = out.grad if axis is None or keepdims else np.expand_dims(out.grad, axis)
            self.grad += gradient * out.data.size / self.data.size

        out._backward = _backward
        return out
