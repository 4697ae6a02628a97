"""`sum` along an axis passes its gradient on as it is.

The axis is gone, so numpy lines the gradient up with the wrong one, or raises an error. Put the
axis back first: `np.expand_dims(out.grad, axis)`.
"""

CAUGHT_BY = ("ext4.sum-backward",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), "sum")

        def _backward():
            self.grad += out.grad

        out._backward = _backward
        return out
