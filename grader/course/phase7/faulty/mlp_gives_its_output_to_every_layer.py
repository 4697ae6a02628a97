"""Every layer gets the activation of the output.

`output` is for the last layer only. The layers before it use `activation`.
"""

CAUGHT_BY = ("phase7.mlp-activations",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        self.layers = [Layer(one, other, output) for one, other in zip(sizes, nouts)]
