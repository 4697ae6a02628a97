"""Every layer gets the inputs of the network, not the outputs of the layer before it.

The output gets a different name, and `x` never changes. Pass it on to the next layer: `x =
layer(x)`.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        for layer in self.layers:
            out = layer(x)
        return out[0] if len(out) == 1 else out
