"""phase4.seed engine: the result's gradient is never set"""


class Value:
    def backward(self):
        for node in reversed(self.build_topo()):
            node._backward()
