"""`parameters()` collects in a list that is kept: every call adds all parameters once more.

After two calls each layer is listed twice, and whoever updates the parameters moves each of them twice. Begin with an empty list in every call.
"""

CAUGHT_BY = ("phase7.mlp-parameters",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(*shape) for shape in zip(sizes, nouts, kinds)]
        self.found = []

    def parameters(self):
        for layer in self.layers:
            self.found.extend(layer.parameters())
        return self.found
