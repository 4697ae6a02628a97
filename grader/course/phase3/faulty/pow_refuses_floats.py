"""A float is refused as the exponent.

`a ** 0.5` is a square root, and the formula n * a**(n-1) holds for it too. Accept both:
`isinstance(exponent, (int, float))`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, int):
            raise TypeError("the exponent must be an int")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
