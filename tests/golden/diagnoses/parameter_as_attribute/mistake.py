"""phase3.times engine: self.other"""


class Value:
    def __mul__(self, other):
        return Value(self.data * self.other, (self, other), "*")
