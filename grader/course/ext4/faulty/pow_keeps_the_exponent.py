"""The derivative of `a ** k` uses the power k instead of k - 1.

d(a**k)/da is k * a**(k-1).
"""

CAUGHT_BY = ("ext4.power",)


class Tensor:
    def __pow__(self, exponent):
        out = Tensor(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data**exponent * out.grad

        out._backward = _backward
        return out
