"""A call of the network clears the gradients.

Gradients from several examples add up before a step. Only `zero_grad()` clears them.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        self.zero_grad()
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x
