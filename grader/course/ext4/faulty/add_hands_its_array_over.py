"""`+` hands its operands the gradient array itself instead of adding it to their own.

`self.grad = out.grad` does not copy anything. It is one array with several names, and the next `+=`
on one of them changes them all. Start with zeros and always add.
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
