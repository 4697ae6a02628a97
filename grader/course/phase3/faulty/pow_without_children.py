"""The power does not know its base.

If the base is a leaf, the backward step still finds it, but in a longer expression the backward
pass stops at the power. Pass the base as a child: `(self,)`, with the comma.
"""

CAUGHT_BY = ("phase3.power-backward",)


class Value:
    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, _op=f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
