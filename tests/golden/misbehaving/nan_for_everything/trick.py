class Value(Value):
    def __add__(self, other):
        out = Value(float("nan"))
        out.grad = self.grad = float("inf")
        return out

    __radd__ = __add__
