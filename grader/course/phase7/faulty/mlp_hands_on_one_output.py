"""Each layer gets only the first output of the layer before.

A layer needs all of them, one for each weight. Pass the whole list on, and unpack it only at the
end, if the last layer has a single neuron.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)[:1]
        return x[0] if len(x) == 1 else x
