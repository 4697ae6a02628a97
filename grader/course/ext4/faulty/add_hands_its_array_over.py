"""`+` gives both operands the gradient array itself, the first time.

`self.grad = out.grad` copies no number: it is one array with three names. The next `+=` on one of them changes all. Begin with zeros
and add, always.
"""

CAUGHT_BY = ("ext4.used-again",)


class Tensor:
    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other), "+")

        def _backward():
            for node in (self, other):
                share = unbroadcast(out.grad, node.data.shape)
                if node.grad.any():
                    node.grad += share
                else:
                    node.grad = share

        out._backward = _backward
        return out
