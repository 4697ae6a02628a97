"""`a + 3` sends no gradient back to `a`.

The branch for plain numbers returns a Value without a backward step. Wrap the number and go on as
usual: then one piece of code serves both cases.
"""

CAUGHT_BY = ("phase2.number-right", "phase2.refuses-non-numbers")


class Value:
    def __add__(self, other):
        if isinstance(other, (int, float)):
            return Value(self.data + other, (self,), "+")
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
