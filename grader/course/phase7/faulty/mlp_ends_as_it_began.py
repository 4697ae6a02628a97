"""All layers get the same activation, the last one too.

The output is often another kind than the layers before it: a score that may be any number needs "linear". Give the last
layer `output`, and `activation` to the others.
"""

CAUGHT_BY = ("phase7.mlp-activations",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        self.layers = [Layer(sizes[i], sizes[i + 1], activation) for i in range(len(nouts))]
