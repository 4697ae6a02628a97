Value.__add__ = lambda self, other: Value(10**1_000_000)
