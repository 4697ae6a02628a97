def add(self, other):
    error = RuntimeError("no")
    error.__notes__ = ["n" * 1000] * 1_000_000
    raise error


Value.__add__ = Value.__radd__ = add
