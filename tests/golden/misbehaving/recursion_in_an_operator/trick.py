Value.__add__ = lambda self, other: self + other
