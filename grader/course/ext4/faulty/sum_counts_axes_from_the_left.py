"""The backward step of `sum` takes axis -1 for axis 1.

That is the same for a matrix only. `np.expand_dims(out.grad, axis)` knows negative axes.
"""

CAUGHT_BY = ("ext4.sum-backward",)


class Tensor:
    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), "sum")

        def _backward():
            whole = axis is None or keepdims
            self.grad += out.grad if whole else np.expand_dims(out.grad, 1 if axis else 0)

        out._backward = _backward
        return out
