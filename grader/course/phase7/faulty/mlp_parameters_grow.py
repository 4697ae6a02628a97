"""`parameters()` of a network adds to the same list in every call.

After two calls each layer is listed twice, so an update moves each parameter twice. Start with an
empty list in every call.
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
