class Value(Value):
    kinds = ["3.0", b"3.0", [3.0], {"data": 3.0}, None, True, 3.0 + 0j, Value, "x" * 10_000_000]

    def __add__(self, other):
        self.kinds.append(self.kinds.pop(0))
        return Value(self.kinds[0])

    __radd__ = __add__
