"""The backward step of tanh is never attached to the result, so it sends nothing back.

The function is defined and then forgotten. Before `return out`, write `out._backward = _backward`.
"""

CAUGHT_BY = ("phase6.tanh-backward",)


class Value:
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        return out
