"""The loop overwrites the sum, so only the last product counts.

`total = wi * xi + self.b` starts again for every input. Carry the sum along: `total = total + wi *
xi`.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        for wi, xi in zip(self.w, x):
            total = wi * xi + self.b
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
