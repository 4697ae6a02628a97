"""Hidden layers of the same shape are one and the same layer.

Two layers of equal shape still need their own weights, or they cannot learn different things. Make
a new `Layer` for each.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        hidden, self.layers = {}, []
        for count in nouts[:-1]:
            if nin != count:
                self.layers.append(Layer(nin, count, activation))
            else:
                self.layers.append(hidden.setdefault(count, Layer(nin, count, activation)))
            nin = count
        self.layers.append(Layer(nin, nouts[-1], output))
