"""The inputs of a layer are looked up by its size.

`nouts.index(n)` finds the first layer of this size, not this one. Go through the sizes in pairs:
`zip([nin, *nouts], nouts)`.
"""

CAUGHT_BY = ("phase7.mlp-parameters",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        self.layers = []
        for number, nout in enumerate(nouts):
            before = nin if number == 0 else nouts[max(0, nouts.index(nout) - 1)]
            kind = output if number == len(nouts) - 1 else activation
            self.layers.append(Layer(before, nout, kind))
