"""The neuron overwrites its bias with the sum.

The first output is right, but the second call starts with the old sum in place of the bias. Give
the sum its own name, and start it with `self.b`.
"""

CAUGHT_BY = ("phase7.neuron-output", "phase7.layer-output")


class Neuron:
    def __call__(self, x):
        for wi, xi in zip(self.w, x):
            self.b = self.b + wi * xi
        if self.activation == "tanh":
            return self.b.tanh()
        if self.activation == "relu":
            return self.b.relu()
        return self.b
