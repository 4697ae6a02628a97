"""`return out` is missing in `relu`.

A function without `return` gives None, and `a.relu()` is then None. End with `return out`.
"""

CAUGHT_BY = ("phase6.relu",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
