"""`a ** b` accepts a Value that holds an int.

The number is taken out of the exponent, so it gets no gradient and nobody notices. Raise TypeError
for every Value.
"""

CAUGHT_BY = ("phase3.power-refuses",)


class Value:
    def __pow__(self, exponent):
        if isinstance(exponent, Value) and isinstance(exponent.data, int):
            exponent = exponent.data
        if not isinstance(exponent, (int, float)):
            raise TypeError("the exponent must be an int or a float")
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
