"""`relu` sets the negative numbers in its operand to 0.

`self.data[self.data < 0] = 0` writes into the operand's array, which other operations use too. Make
a new array: `np.maximum(self.data, 0)`.
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
