"""The network inserts its number of inputs into the list it was given.

The list belongs to the caller, and the next network made from it gets one layer too many. Make a
new list: `[nin, *nouts]`.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        nouts.insert(0, nin)
        kinds = [activation] * (len(nouts) - 2) + [output]
        self.layers = [Layer(*shape) for shape in zip(nouts, nouts[1:], kinds)]
