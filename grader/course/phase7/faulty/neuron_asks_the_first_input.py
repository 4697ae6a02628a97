"""A neuron asks only its first input whether it is a Value.

The inputs may be a mix of plain numbers and Values. `wi * xi` works for both, so do not ask for
either.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        if isinstance(x[0], Value):
            x = [xi if isinstance(xi, Value) else Value(0.0) for xi in x]
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
