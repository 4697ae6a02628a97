"""`a ** "2"` computes the square of `a`.

`float(exponent)` turns the text into a number. A text where a number belongs is a mistake somewhere
else: raise TypeError, and it is found.
"""

CAUGHT_BY = ("phase3.power-refuses",)


class Value:
    def __pow__(self, exponent):
        if isinstance(exponent, (Value, list, type(None))):
            raise TypeError("the exponent must be a number")
        exponent = float(exponent)
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
