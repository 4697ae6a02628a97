"""phase2.backward engine: a sum has no backward step"""


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), "+")
