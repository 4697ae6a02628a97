"""`relu` sets negative numbers to 0 in its operand.

`self.data[self.data < 0] = 0` writes into the array of the operand, which others use as well. Make a new array: `np.maximum(self.data, 0)`.
"""

CAUGHT_BY = ("ext4.operands-untouched",)


class Tensor:
    def relu(self):
        self.data[self.data < 0] = 0.0
        out = Tensor(self.data, (self,), "relu")

        def _backward():
            self.grad += (self.data > 0) * out.grad

        out._backward = _backward
        return out
