error = ValueError("first")
for number in range(100_000):
    error, error.__cause__ = ValueError(number), error
one = ValueError("its own cause")
one.__cause__ = one.__context__ = error
raise one
