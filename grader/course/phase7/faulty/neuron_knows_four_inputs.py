"""A neuron uses its first four inputs only.

The number 4 belongs to the example, not to the neuron: `nin` may be anything. Loop over all the
weights.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class Neuron:
    def __call__(self, x):
        total = self.b
        for index in range(min(4, len(self.w))):
            total = total + self.w[index] * x[index]
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
