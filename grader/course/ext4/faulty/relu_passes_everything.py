"""`relu` lets the gradient through everywhere.

Where the result is 0, it does not change with the operand, so nothing comes back. `out.data >= 0`
is true everywhere: use `> 0`.
"""

CAUGHT_BY = ("ext4.relu-backward",)


class Tensor:
    def relu(self):
        out = Tensor(np.maximum(self.data, 0), (self,), "relu")

        def _backward():
            self.grad += (out.data >= 0) * out.grad

        out._backward = _backward
        return out
