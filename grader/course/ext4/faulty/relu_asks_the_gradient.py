"""`relu` passes on only positive gradients.

Check where the data was positive. A gradient may have any sign.
"""

CAUGHT_BY = ("ext4.relu-backward",)


class Tensor:
    def relu(self):
        out = Tensor(np.maximum(self.data, 0), (self,), "relu")

        def _backward():
            self.grad += (out.grad > 0) * out.grad

        out._backward = _backward
        return out
