"""phase4.first-graph engine: one level only"""


class Value:
    def backward(self):
        self.grad = 1.0
        self._backward()
