"""The sum is collected in `self.b` itself.

The first output is right. The second begins where the first ended, for the bias is gone and its place holds the old sum. Use a name of its
own for the sum, and begin it with `self.b`.
"""

CAUGHT_BY = ("phase7.neuron-output", "phase7.mlp-output")


class Neuron:
    def __call__(self, x):
        for wi, xi in zip(self.w, x):
            self.b = self.b + wi * xi
        if self.activation == "tanh":
            return self.b.tanh()
        if self.activation == "relu":
            return self.b.relu()
        return self.b
