"""The sum leaves out the bias.

Without a bias the sum for all-zero inputs is always 0, whatever the network learns. Start it with
`self.b` instead of 0.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        total = sum(wi * xi for wi, xi in zip(self.w, x))
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
