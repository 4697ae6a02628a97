"""The neuron appends a 1 to its inputs, for the bias.

The list belongs to the caller and grows with every call. Add the bias to the sum, or append to a
copy: `[*x, 1]`.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        x.append(1)
        total = sum(wi * xi for wi, xi in zip([*self.w, self.b], x))
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total
