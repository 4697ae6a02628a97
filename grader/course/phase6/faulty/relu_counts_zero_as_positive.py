"""At exactly 0, relu passes the gradient on.

There the curve has a kink, and any number from 0 to 1 could be called its slope; this course takes 0, as the large
libraries do. `>` says so, `>=` does not.
"""

CAUGHT_BY = ("phase6.relu-kink",)


class Value:
    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += (self.data >= 0) * out.grad

        out._backward = _backward
        return out
