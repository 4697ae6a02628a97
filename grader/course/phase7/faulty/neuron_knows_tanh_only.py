"""The neuron ignores its activation and always uses tanh.

A "relu" or "linear" neuron uses tanh too. Check `self.activation` at the end of `__call__`.
"""

CAUGHT_BY = ("phase7.neuron-activations",)


class Neuron:
    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        return total.tanh()
