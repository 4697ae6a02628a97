"""tanh puts its result into `self` and returns `self`.

The old number is lost, and there is no node that could pass a gradient on. Make a new Value.
"""

CAUGHT_BY = ("phase6.tanh",)


class Value:
    def tanh(self):
        self.data = math.tanh(self.data)
        return self
