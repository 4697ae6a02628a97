"""A Value as the exponent is taken, and gets no gradient.

`a ** b` gives the right number, and `b` silently keeps 0.0 as its gradient. Refuse it with a TypeError: no answer is
better than a wrong one that nobody sees.
"""

CAUGHT_BY = ("phase3.power-refuses",)


class Value:
    def __pow__(self, exponent):
        exponent = exponent.data if isinstance(exponent, Value) else exponent
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
