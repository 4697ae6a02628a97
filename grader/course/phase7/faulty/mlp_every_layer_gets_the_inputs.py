"""Every layer is made for the inputs of the network.

Only the first layer sees them. Each later one has as many inputs as the layer before it has
neurons: put `nin` in front of `nouts` and use two neighbours at a time.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(nin, nout, kind) for nout, kind in zip(nouts, kinds)]
