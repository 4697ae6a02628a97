"""`a + "2"` is accepted, because `other` is converted with `float()`.

A text where a number belongs is a mistake, and an error shows it at once. Wrap `other` as it is:
then adding the two raises TypeError by itself.
"""

CAUGHT_BY = ("phase2.refuses-non-numbers",)


class Value:
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(float(other))
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
