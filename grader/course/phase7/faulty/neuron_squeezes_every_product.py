"""The activation is applied to every product instead of to their sum.

A neuron adds up all its products first and applies the activation once. Move it after the loop.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            product = wi * xi
            if self.activation == "tanh":
                product = product.tanh()
            if self.activation == "relu":
                product = product.relu()
            total = total + product
        return total
