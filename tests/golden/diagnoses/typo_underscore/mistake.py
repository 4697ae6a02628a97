"""phase4.seed engine: backward for _backward"""


class Value:
    def backward(self):
        topo = self.build_topo()
        self.grad = 1.0
        for v in reversed(topo):
            v.backward()
