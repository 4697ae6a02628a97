"""A neuron uses only inputs that are floats or Values.

An input may be an int as well. A Value can be multiplied by any plain number, so there is nothing to
ask.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            if isinstance(xi, (float, Value)):
                total = total + wi * xi
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
