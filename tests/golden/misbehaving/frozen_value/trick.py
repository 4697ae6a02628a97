from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    data: float
    _prev: tuple = ()
    _op: str = ""
    grad: float = 0.0

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), "+")

    __radd__ = __add__
