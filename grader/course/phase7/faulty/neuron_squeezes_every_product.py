"""The activation is applied to every product instead of to their sum.

A neuron adds up everything first and is then squeezed once. Move the activation behind the loop.
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
