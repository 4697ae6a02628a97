"""phase3.power engine: (self) is no tuple"""


class Value:
    def __pow__(self, exponent):
        return Value(self.data**exponent, (self), f"**{exponent}")
