"""`exp()` keeps its result, and returns it again.

Training changes `data`, and then the old result is wrong. Make a new Value in each call.
"""

CAUGHT_BY = ("phase6.new-node",)


class Value:
    def exp(self):
        if hasattr(self, "_exp"):
            return self._exp
        out = self._exp = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out
