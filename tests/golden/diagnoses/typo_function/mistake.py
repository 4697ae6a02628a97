"""phase6.tanh engine: tahn in place of tanh"""


class Value:
    def tanh(self):
        return Value(math.tahn(self.data), (self,), "tanh")
