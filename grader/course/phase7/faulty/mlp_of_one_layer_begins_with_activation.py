"""An MLP with a single layer uses `activation` instead of `output`.

A single layer is the first and the last one. The last one uses `output`.
"""

CAUGHT_BY = ("phase7.mlp-activations",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        kinds = [activation, *[activation] * (len(nouts) - 2), output]
        self.layers = [Layer(*shape) for shape in zip(sizes, nouts, kinds)]
