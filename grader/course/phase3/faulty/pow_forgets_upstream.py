"""The backward step of a power leaves out the gradient of the result.

n * a**(n-1) is only how the power depends on `a`. Multiply it by `out.grad`, which is how the final
result depends on the power.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1)

        out._backward = _backward
        return out
