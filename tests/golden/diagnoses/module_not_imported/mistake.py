"""phase6.exp engine: cmath is not imported"""


class Value:
    def exp(self):
        return Value(cmath.exp(self.data).real, (self,), "exp")
