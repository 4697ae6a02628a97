"""Every layer is made for the inputs of the network.

Only the first layer sees them. The inputs of each later layer are the outputs of the one before:
pair `[nin, *nouts]` with `nouts`.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(nin, nout, kind) for nout, kind in zip(nouts, kinds)]
