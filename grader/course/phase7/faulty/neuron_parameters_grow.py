"""`parameters()` appends the bias to the list of weights itself.

With every call `self.w` becomes longer by one. `self.w + [self.b]` is a new list, and leaves the old one as it is.
"""

CAUGHT_BY = ("phase7.neuron-parameters", "phase7.layer-parameters", "phase7.mlp-parameters")


class Neuron:
    def parameters(self):
        self.w.append(self.b)
        return self.w
