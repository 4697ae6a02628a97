class Value(Value):
    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Value) else other)

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, Value) else other)

    def __bool__(self):
        return self.data != 0

    __hash__ = object.__hash__
