"""A Value is accepted as the exponent but gets no gradient.

`a ** b` gives the right number, but the gradient of `b` silently stays 0.0. Raise a TypeError
instead: no answer is better than a wrong one that nobody notices.
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
