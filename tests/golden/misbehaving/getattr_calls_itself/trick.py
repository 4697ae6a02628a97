class Value(Value):
    __slots__ = ()

    def __getattr__(self, name):
        return getattr(self, "_" + name)

    def __add__(self, other):
        return self.sum_with(other)
