"""`+` multiplies the gradient by ones of its operand's shape.

That broadcasts again instead of undoing it: the product has the larger shape, and `+=` refuses it.
Many tutorials have this line. Write `unbroadcast(out.grad, self.data.shape)`.
"""

CAUGHT_BY = ("ext4.add-stretched",)


class Tensor:
    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += np.ones_like(self.data) * out.grad
            other.grad += np.ones_like(other.data) * out.grad

        out._backward = _backward
        return out
