"""phase3.power-backward engine: a power forgets its base"""


class Value:
    def __pow__(self, exponent):
        out = Value(self.data**exponent, (), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out
