"""All layers get the same activation, including the last one.

The output often needs a different activation: a score that may be any number needs "linear". Give
`output` to the last layer, and `activation` to the others.
"""

CAUGHT_BY = ("phase7.mlp-activations",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        self.layers = [Layer(sizes[i], sizes[i + 1], activation) for i in range(len(nouts))]
