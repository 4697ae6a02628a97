"""The last layer is linear when its activation should be relu.

All three activations are allowed in every layer. Hand `output` to the last layer as it is.
"""

CAUGHT_BY = ("phase7.mlp-activations",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        last = "tanh" if output == "tanh" else "linear"
        kinds = [activation] * (len(nouts) - 1) + [last]
        self.layers = [Layer(*shape) for shape in zip(sizes, nouts, kinds)]
