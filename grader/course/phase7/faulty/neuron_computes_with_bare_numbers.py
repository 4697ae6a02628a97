"""The neuron adds up plain numbers and wraps the sum in a new Value.

`.data` takes the number out of the graph, so no gradient finds its way back to the weights. Compute
with the Values themselves: `wi * xi`.
"""

CAUGHT_BY = ("phase7.neuron-output", "phase7.neuron-backward")


class Neuron:
    def __call__(self, x):
        total = Value(sum(wi.data * xi for wi, xi in zip(self.w, x)) + self.b.data)
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
