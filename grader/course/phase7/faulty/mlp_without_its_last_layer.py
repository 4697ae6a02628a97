"""The network has one layer too few.

`len(nouts) - 1` would be right if `nouts` held the inputs as well. It does not, so there are
`len(nouts)` layers.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(sizes[i], sizes[i + 1], kinds[i]) for i in range(len(nouts) - 1)]
