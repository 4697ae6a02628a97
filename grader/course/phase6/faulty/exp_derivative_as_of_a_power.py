"""The derivative of exp follows the rule for powers: x * e**(x-1).

That rule is for `x**n`, where the base moves and the exponent stays. In `e**x` the exponent moves,
and the derivative is e**x itself, which is `out.data`.
"""

CAUGHT_BY = ("phase6.exp-backward",)


class Value:
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += self.data * math.exp(self.data - 1) * out.grad

        out._backward = _backward
        return out
