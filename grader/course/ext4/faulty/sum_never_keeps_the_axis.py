"""`sum` ignores `keepdims`.

With `keepdims=True` the axis stays, with length 1, so the sum can be stretched over the numbers it
was made of.
"""

CAUGHT_BY = ("ext4.sum",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis), (self,), "sum")

        def _backward():
            self.grad += out.grad if axis is None else np.expand_dims(out.grad, axis)

        out._backward = _backward
        return out
