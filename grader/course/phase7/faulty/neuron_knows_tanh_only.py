"""The neuron stores its activation and never looks at it.

Every neuron bends its sum with tanh, those that are "relu" or "linear" too. Ask `self.activation` at the end of
`__call__`.
"""

CAUGHT_BY = ("phase7.neuron-activations",)


class Neuron:
    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        return total.tanh()
