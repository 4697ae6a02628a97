"""`+` sets the gradients of its operands to zeros.

The forward step computes only data. Another result may have sent its share before.
"""

CAUGHT_BY = ("ext4.operands-untouched",)


class Tensor:
    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        self.grad, other.grad = np.zeros_like(self.data), np.zeros_like(other.data)
        out = Tensor(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += unbroadcast(out.grad, self.data.shape)
            other.grad += unbroadcast(out.grad, other.data.shape)

        out._backward = _backward
        return out
